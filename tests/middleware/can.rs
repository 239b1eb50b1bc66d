//! What middleware can do: refuse, attach, change, drop, choose; and what it cannot get past.

use mcp_runtime::middleware::ResponseFormat;
use mcp_runtime::prelude::mcp;
use serde_json::{Value, json};

use crate::seen::Seen;
use crate::wires::{Kind, Wire};
use crate::{Tenant, server};

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {answer}"))
}

#[test]
fn what_it_refuses_never_runs() {
    for kind in Kind::ALL {
        let inner = Seen::default();
        let around = inner.around("inner");
        let mut wire = Wire::new(kind, || {
            server()
                .receive_middleware(|call: mcp::Call, next: mcp::Next| async move {
                    if call.params()["name"] == "echo" {
                        return mcp::ProtocolError::new(42, "not this one")
                            .with_data(json!({"why": 1}))
                            .into();
                    }
                    next.run(call).await
                })
                .receive_middleware(around)
        });
        inner.take();
        let refused = wire.call("echo", json!({"text": "a"}));
        assert_eq!(
            refused["error"],
            json!({"code": 42, "message": "not this one", "data": {"why": 1}}),
            "{kind:?}"
        );
        assert_eq!(inner.take(), Vec::<String>::new());
        assert_eq!(text(&wire.call("whose", json!({}))), "nobody's", "{kind:?}");
    }
}

/// A refusal of a caller keeps its status and challenge, though the handler would have streamed.
#[test]
fn who_is_turned_away_is_told_by_http() {
    let turn_away = |_: mcp::Call, _: mcp::Next| async {
        mcp::Reply::refused(mcp::Refusal::unauthorized("Bearer realm=\"mcp\"").with_message("Sign in first"))
    };
    let mut wire = Wire::new(Kind::ModernHttp, move || server().receive_middleware(turn_away));
    let params = json!({"name": "reports", "arguments": {}, "_meta": {"progressToken": 1}});
    let mut answer = wire.post_request("tools/call", params);
    assert_eq!(answer.status, 401);
    assert_eq!(answer.header("www-authenticate"), Some("Bearer realm=\"mcp\""));
    let answer: Value = serde_json::from_str(&answer.text()).expect("JSON");
    assert_eq!((&answer["id"], &answer["error"]["message"]), (&json!(1), &json!("Sign in first")));

    let mut wire = Wire::new(Kind::ModernLines, move || server().receive_middleware(turn_away));
    assert_eq!(wire.call("echo", json!({"text": "a"}))["error"]["message"], "Sign in first");
}

/// A handshake that is refused opens nothing.
#[test]
fn a_refused_handshake_leaves_nothing_behind() {
    for kind in [Kind::HandshakeHttp, Kind::HandshakeLines] {
        let (handles, handle) = std::sync::mpsc::channel();
        let mut wire = Wire::silent(kind, move || {
            let server = server().receive_middleware(|call: mcp::Call, next: mcp::Next| async move {
                if call.method() == "initialize" {
                    return mcp::ProtocolError::new(1, "closed").into();
                }
                next.run(call).await
            });
            handles.send(server.handle()).expect("the test waits");
            server
        });
        assert_eq!(wire.initialize()["error"]["message"], "closed", "{kind:?}");
        assert_eq!(wire.session(), None);
        assert_eq!(handle.recv().expect("it is served").gauges().sessions, 0);
        if kind == Kind::HandshakeLines {
            let refused = wire.request("tools/list", json!({}));
            assert!(
                refused["error"]["message"].as_str().is_some_and(|text| text.contains("not initialized")),
                "{refused}"
            );
        }
    }
}

/// What is refused has no effect: a level, a subscription, a cancellation.
#[test]
fn what_is_refused_has_no_effect() {
    for kind in [Kind::HandshakeHttp, Kind::HandshakeLines] {
        let (handles, handle) = std::sync::mpsc::channel();
        let mut wire = Wire::new(kind, move || {
            let server = server().receive_middleware(|call: mcp::Call, next: mcp::Next| async move {
                if call.method() == "resources/subscribe" {
                    return mcp::ProtocolError::new(1, "no").into();
                }
                next.run(call).await
            });
            handles.send(server.handle()).expect("the test waits");
            server
        });
        let handle = handle.recv().expect("it is served");
        assert_eq!(wire.request("resources/subscribe", json!({"uri": "config://app"}))["error"]["code"], 1);
        assert_eq!(handle.gauges().subscriptions, 0, "{kind:?}");
    }
}

#[test]
fn a_cancellation_that_is_dropped_cancels_nothing() {
    let mut wire = Wire::new(Kind::HandshakeLines, || {
        server().receive_middleware(|call: mcp::Call, next: mcp::Next| async move {
            if call.method() == "notifications/cancelled" {
                return mcp::Reply::none();
            }
            next.run(call).await
        })
    });
    let params = json!({"name": "asks", "arguments": {}});
    let id = wire.begin("tools/call", params);
    wire.notify("notifications/cancelled", json!({"requestId": id}));
    // The handler goes on to its answer, which comes between others.
    let answered = (0..10_000).any(|_| {
        let came = wire.exchange("ping", json!({}));
        came.iter().any(|message| message["id"] == id && message["result"].is_object())
    });
    assert!(answered);
}

#[test]
fn what_it_attaches_handlers_take() {
    for kind in Kind::ALL {
        let mut wire = Wire::new(kind, || {
            server().receive_middleware(|mut call: mcp::Call, next: mcp::Next| {
                call.insert(Tenant("Ada's".to_owned()));
                assert_eq!(call.get::<Tenant>().map(|tenant| tenant.0.as_str()), Some("Ada's"));
                next.run(call)
            })
        });
        assert_eq!(text(&wire.call("whose", json!({}))), "Ada's", "{kind:?}");
    }
}

/// What middleware sets is projected to the revision, and what every result has stays.
#[test]
fn nothing_gets_past_projection_and_stamp() {
    for kind in Kind::ALL {
        let mut wire = Wire::new(kind, || {
            server().send_middleware(|mut call: mcp::Call, next: mcp::Next| {
                let reply = call.reply();
                for stamped in ["resultType", "ttlMs", "cacheScope", "_meta"] {
                    reply.remove(stamped);
                }
                reply.set("acme", true);
                reply.set("nextCursor", "more");
                reply.set("ttlMs", 5);
                next.run(call)
            })
        });
        let result = wire.call("weather", json!({}))["result"].take();
        assert_eq!(result["structuredContent"], json!({"degrees": 20}), "{kind:?}");
        assert_eq!((result.get("acme"), result.get("nextCursor")), (None, None), "{kind:?}: {result}");
        let list = wire.request("tools/list", json!({}))["result"].take();
        assert_eq!((list.get("acme"), &list["nextCursor"]), (None, &json!("more")), "{kind:?}: {list}");
        if kind.is_modern() {
            assert_eq!(
                (&list["resultType"], &list["ttlMs"], &list["cacheScope"]),
                (&json!("complete"), &json!(5), &json!("private"))
            );
            assert_eq!(list["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "middleware");
        } else {
            assert_eq!((list.get("resultType"), list.get("ttlMs")), (None, None), "{list}");
        }
    }
}

/// Whatever middleware sets, what leaves is a result of the revision, or an error in its place.
#[test]
fn what_it_breaks_is_put_right_or_refused() {
    type Break = fn(&mut mcp::Reply);
    let ask: Break = |reply| {
        reply.set("resultType", "input_required");
        reply.set("bogus", 7);
        reply.set("content", "not an array");
    };
    let envelope: Break = |reply| {
        reply.set("resultType", 5);
        reply.set("ttlMs", "soon");
        reply.set("cacheScope", "everyone");
        reply.set("_meta", "text");
    };
    let cursor: Break = |reply| reply.set("nextCursor", 7);
    let nothing: Break = |reply| {
        reply.set("resultType", "input_required");
        reply.set("inputRequests", json!({}));
    };
    let nameless: Break = |reply| {
        reply.set("resultType", "input_required");
        reply.set("inputRequests", json!({"a": 5}));
    };
    let greeting: Break = |reply| {
        for member in ["protocolVersion", "serverInfo", "capabilities", "supportedVersions"] {
            reply.remove(member);
        }
    };
    let broken = |kind, change: Break| {
        Wire::silent(kind, move || {
            server().send_middleware(move |mut call: mcp::Call, next: mcp::Next| {
                if !["initialize", "server/discover"].contains(&call.method()) {
                    change(call.reply());
                }
                next.run(call)
            })
        })
    };
    for kind in Kind::ALL {
        let wire = |change| {
            let mut wire = broken(kind, change);
            if !kind.is_modern() {
                wire.initialize();
            }
            wire
        };
        let answer = wire(ask).call("echo", json!({"text": "a"}));
        assert_eq!(answer["error"]["code"], -32603, "{kind:?}: {answer}");
        for question in [nothing, nameless] {
            let answer = wire(question).call("echo", json!({"text": "a"}));
            if kind.is_modern() {
                assert_eq!(answer["error"]["code"], -32603, "{kind:?}: {answer}");
            } else {
                // Such questions are unknown there, and no part of a result.
                let members: Vec<_> = answer["result"].as_object().expect("a result").keys().collect();
                assert_eq!(members, ["content"], "{kind:?}");
            }
        }
        let answer = wire(cursor).request("tools/list", json!({}));
        assert_eq!(answer["error"]["code"], -32603, "{kind:?}: {answer}");
        let list = wire(envelope).request("tools/list", json!({}))["result"].take();
        if kind.is_modern() {
            assert_eq!(
                (&list["resultType"], &list["ttlMs"], &list["cacheScope"]),
                (&json!("complete"), &json!(0), &json!("private"))
            );
            assert_eq!(list["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "middleware", "{list}");
        } else {
            let members: Vec<_> = list.as_object().expect("a result").keys().collect();
            assert_eq!(members, ["tools"], "{kind:?}");
        }
        let mut wire = Wire::silent(kind, move || {
            server().send_middleware(move |mut call: mcp::Call, next: mcp::Next| {
                greeting(call.reply());
                next.run(call)
            })
        });
        let answer =
            if kind.is_modern() { wire.request("server/discover", json!({})) } else { wire.initialize() };
        assert_eq!(answer["error"]["code"], -32603, "{kind:?}: {answer}");
    }
}

/// A question that a round asks may be changed, and is one afterwards.
#[test]
fn a_question_stays_a_question() {
    let mut wire = Wire::new(Kind::ModernHttp, || {
        server().send_middleware(|mut call: mcp::Call, next: mcp::Next| {
            call.reply().set("bogus", 7);
            next.run(call)
        })
    });
    let result = wire.call("asks", json!({}))["result"].take();
    let members: Vec<_> = result.as_object().expect("a result").keys().collect();
    assert_eq!(members, ["_meta", "inputRequests", "requestState", "resultType"]);
}

/// A reply that is made up, in place of the handler's.
#[test]
fn it_answers_in_place_of_the_handler() {
    for kind in Kind::ALL {
        let mut wire = Wire::new(kind, || {
            server().receive_middleware(|call: mcp::Call, next: mcp::Next| async move {
                if call.params()["name"] != "echo" {
                    return next.run(call).await;
                }
                let content = json!([{"type": "text", "text": "from the cache"}]);
                mcp::Reply::result([("content".to_owned(), content)].into_iter().collect())
            })
        });
        let answer = wire.call("echo", json!({"text": "a"}));
        assert_eq!(text(&answer), "from the cache", "{kind:?}");
        assert_eq!(answer["result"]["resultType"] == "complete", kind.is_modern());
    }
}

#[test]
fn what_it_makes_of_a_result_has_to_be_one() {
    let mut wire = Wire::new(Kind::ModernHttp, || {
        server().send_middleware(|mut call: mcp::Call, next: mcp::Next| {
            call.reply().set("content", "no list");
            next.run(call)
        })
    });
    let answer = wire.call("echo", json!({"text": "a"}));
    assert_eq!(answer["error"]["code"], -32603, "{answer}");
    assert!(
        answer["error"]["message"].as_str().is_some_and(|text| text.starts_with("Internal error ")),
        "{answer}"
    );
}

/// Of an answer that is dropped nothing is written, and the connection goes on.
#[test]
fn what_it_drops_is_not_sent() {
    let drops = || {
        server().send_middleware(|mut call: mcp::Call, next: mcp::Next| async move {
            let is_dropped = call.reply().members().is_some_and(|result| {
                result.get("content").is_some_and(|content| content[0]["text"] == "drop me")
            });
            let is_progress = call.method() == "notifications/progress" && call.params()["progress"] == 1.0;
            if is_dropped || is_progress { mcp::Reply::none() } else { next.run(call).await }
        })
    };
    for kind in [Kind::ModernLines, Kind::HandshakeLines] {
        let mut wire = Wire::new(kind, drops);
        let dropped = wire.begin("tools/call", json!({"name": "echo", "arguments": {"text": "drop me"}}));
        let came = wire.exchange("tools/call", json!({"name": "echo", "arguments": {"text": "keep me"}}));
        assert!(came.iter().all(|message| message["id"] != dropped), "{kind:?}: {came:?}");
        let params = json!({"name": "reports", "arguments": {}, "_meta": {"progressToken": 1}});
        let came = wire.exchange("tools/call", params);
        assert_eq!(came.len(), 2, "{kind:?}: {came:?}");
        assert_eq!(came[0]["params"]["progress"], 2.0);
    }
    let mut wire = Wire::new(Kind::ModernHttp, drops);
    let mut answer =
        wire.post_request("tools/call", json!({"name": "echo", "arguments": {"text": "drop me"}}));
    assert_eq!(answer.text(), "");
}

/// An error in place of an answer that goes no further is the answer.
#[test]
fn a_send_middleware_refuses_too() {
    for kind in Kind::ALL {
        let mut wire = Wire::new(kind, || {
            server().send_middleware(|call: mcp::Call, next: mcp::Next| async move {
                if call.method() == "tools/call" {
                    return mcp::ProtocolError::new(9, "not out of here").into();
                }
                next.run(call).await
            })
        });
        assert_eq!(wire.call("echo", json!({"text": "a"}))["error"]["code"], 9, "{kind:?}");
    }
}

#[test]
fn it_chooses_how_an_answer_is_written() {
    for (format, written) in
        [(ResponseFormat::JsonBody, "application/json"), (ResponseFormat::EventStream, "text/event-stream")]
    {
        for kind in [Kind::ModernHttp, Kind::HandshakeHttp] {
            let receive =
                move |call: mcp::Call, next: mcp::Next| async move { next.run(call).await.answer_as(format) };
            let send = move |mut call: mcp::Call, next: mcp::Next| {
                let reply = std::mem::replace(call.reply(), mcp::Reply::none());
                *call.reply() = reply.answer_as(format);
                next.run(call)
            };
            let params = || json!({"name": "echo", "arguments": {"text": "a"}});
            let mut wire = Wire::new(kind, move || server().receive_middleware(receive));
            assert_eq!(
                wire.post_request("tools/call", params()).header("content-type"),
                Some(written),
                "{kind:?}"
            );
            let mut wire = Wire::new(kind, move || server().send_middleware(send));
            assert_eq!(
                wire.post_request("tools/call", params()).header("content-type"),
                Some(written),
                "{kind:?}"
            );
        }
    }
}

/// A message that leaves is given something more.
#[test]
fn it_adds_to_the_meta_of_what_leaves() {
    for kind in Kind::ALL {
        let mut wire = Wire::new(kind, || {
            server().send_middleware(|mut call: mcp::Call, next: mcp::Next| {
                call.set_meta("acme/from", "here");
                next.run(call)
            })
        });
        let params = json!({"name": "reports", "arguments": {}, "_meta": {"progressToken": 1}});
        let came = wire.exchange("tools/call", params);
        assert_eq!(came[0]["params"]["_meta"]["acme/from"], "here", "{kind:?}: {came:?}");
    }
}

/// The revision is what both agreed on, and no other is named but those that are served.
#[test]
fn a_greeting_says_what_is_true() {
    for kind in Kind::ALL {
        let mut wire = Wire::silent(kind, || {
            server().send_middleware(|mut call: mcp::Call, next: mcp::Next| {
                call.reply().set("protocolVersion", "banana");
                call.reply().set("supportedVersions", json!(["banana"]));
                next.run(call)
            })
        });
        if kind.is_modern() {
            let answer = wire.request("server/discover", json!({}));
            assert_eq!(answer["error"]["code"], -32603, "{kind:?}: {answer}");
        } else {
            assert_eq!(wire.initialize()["result"]["protocolVersion"], "2025-11-25", "{kind:?}");
        }
    }
}

/// What the client answers to a question is the receive stack's to change.
#[test]
fn it_changes_the_answer_to_a_question() {
    for kind in [Kind::HandshakeHttp, Kind::HandshakeLines] {
        let mut wire = Wire::new(kind, || {
            server().receive_middleware(|mut call: mcp::Call, next: mcp::Next| {
                if call.kind() == mcp::middleware::Kind::Answer {
                    call.reply().set("content", json!({"name": "Eve"}));
                }
                next.run(call)
            })
        });
        let answer = wire.call("asks", json!({}));
        assert!(
            answer["result"]["content"][0]["text"].as_str().is_some_and(|text| text.contains("Eve")),
            "{answer}"
        );
    }
}

/// What is called is told, without reading all of it.
#[test]
fn it_knows_what_is_called() {
    let (told, names) = std::sync::mpsc::channel();
    let mut wire = Wire::new(Kind::ModernLines, move || {
        server().receive_middleware(move |call: mcp::Call, next: mcp::Next| {
            told.send(call.name()).expect("the test waits");
            next.run(call)
        })
    });
    wire.call("echo", json!({"text": "a"}));
    wire.request("prompts/get", json!({"name": "greet", "arguments": {"name": "Ada"}}));
    wire.request("resources/read", json!({"uri": "config://app"}));
    wire.request("tools/list", json!({}));
    let told: Vec<_> = names.try_iter().collect();
    assert_eq!(
        told,
        [Some("echo"), Some("greet"), Some("config://app"), None].map(|name| name.map(str::to_owned))
    );
}

/// What it takes away from an answer, the handler does not get.
#[test]
fn an_answer_that_is_refused_is_not_handed_on() {
    let refused: fn() -> mcp::Reply = || mcp::Reply::refused(mcp::Refusal::forbidden("not this"));
    for (instead, says) in
        [(refused, "not this"), (mcp::Reply::none as fn() -> mcp::Reply, "dropped the answer")]
    {
        for kind in [Kind::HandshakeHttp, Kind::HandshakeLines] {
            let mut wire = Wire::new(kind, move || {
                server().receive_middleware(move |mut call: mcp::Call, next: mcp::Next| {
                    if call.kind() == mcp::middleware::Kind::Answer {
                        *call.reply() = instead();
                    }
                    next.run(call)
                })
            });
            let answer = wire.call("asks", json!({}));
            let told = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
            assert!(told.contains(says) && !told.contains("Ada"), "{kind:?}: {answer}");
        }
    }
}
