//! `subscriptions/listen`: a request that is answered by what changes, for as long as the client likes (2026-07-28,
//! "Subscriptions").

use std::collections::BTreeSet;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tokio::time::Sleep;
use tokio_util::sync::WaitForCancellationFutureOwned;

use super::Engine;
use super::frame::{open, write};
use crate::call::{Shared, Transport};
use crate::gauges::{Counted, Gauge};
use crate::hub::{Change, LONGEST_URI, Listener, MOST_URIS, Wants};
use crate::protocol::Implementation;
use crate::protocol::envelope::Params;
use crate::protocol::fault::{Fault, FaultKind};
use crate::protocol::{Answer, Frame};
use crate::registry::Offers;

/// A client that listens.
pub(crate) struct Listening {
    listener: Arc<Listener>,
    granted: Value,
    acknowledged: bool,
    _counted: Counted,
    stop: Pin<Box<WaitForCancellationFutureOwned>>,
    lifetime: Option<Pin<Box<Sleep>>>,
}

impl Engine {
    /// What a request wants to be told.
    pub(super) fn wants(params: &Params<'_>) -> Result<Wants, Fault> {
        let refused =
            |what: &str| Fault::invalid_params(format!("Invalid params: `params.notifications{what}"));
        let filter: Map<String, Value> = params
            .notifications
            .object()
            .and_then(|filter| serde_json::from_str(filter).ok())
            .ok_or_else(|| refused("` has to be an object"))?;
        let flag = |name: &str| match filter.get(name) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(wanted)) => Ok(*wanted),
            Some(_) => Err(refused(&format!(".{name}` has to be a boolean"))),
        };
        let uris: BTreeSet<String> = match filter.get("resourceSubscriptions") {
            None | Some(Value::Null) => BTreeSet::new(),
            Some(uris) => serde_json::from_value(uris.clone())
                .map_err(|_| refused(".resourceSubscriptions` has to be an array of texts"))?,
        };
        if uris.len() > MOST_URIS {
            return Err(refused(&format!(".resourceSubscriptions` has more than {MOST_URIS} URIs")));
        }
        if uris.iter().any(|uri| uri.len() > LONGEST_URI) {
            return Err(refused(&format!(
                ".resourceSubscriptions` has a URI of more than {LONGEST_URI} bytes"
            )));
        }
        Ok(Wants {
            tools: flag("toolsListChanged")?,
            prompts: flag("promptsListChanged")?,
            resources: flag("resourcesListChanged")?,
            uris,
        })
    }

    /// Begins to listen, to what of it there is.
    pub(super) fn listen(
        &self,
        wants: Wants,
        offers: Offers,
        transport: Transport,
    ) -> Result<Listening, Fault> {
        let most = self.settings.max_subscriptions;
        let meter = &self.live.hub().meter;
        let Some(counted) = meter.count_up_to(most, Gauge::Listens) else {
            let text = format!("The server is busy: {most} clients listen; try again later");
            return Err(Fault::new(FaultKind::Busy, text));
        };
        let granted = Wants {
            tools: wants.tools && offers.tools,
            prompts: wants.prompts && offers.prompts,
            resources: wants.resources && offers.resources,
            uris: if offers.resources { wants.uris } else { BTreeSet::new() },
        };
        Ok(Listening {
            granted: told(&granted),
            listener: self.live.hub().listen(granted),
            acknowledged: false,
            _counted: counted,
            stop: Box::pin(self.settings.stop.clone().cancelled_owned()),
            lifetime: self
                .settings
                .subscription_lifetime
                .filter(|_| transport == Transport::Http)
                .map(|time| Box::pin(tokio::time::sleep(time))),
        })
    }
}

/// What was granted, as the client asked for it.
fn told(granted: &Wants) -> Value {
    let mut told = Map::new();
    for (name, granted) in [
        ("toolsListChanged", granted.tools),
        ("promptsListChanged", granted.prompts),
        ("resourcesListChanged", granted.resources),
    ] {
        if granted {
            told.insert(name.to_owned(), true.into());
        }
    }
    if !granted.uris.is_empty() {
        told.insert("resourceSubscriptions".to_owned(), json!(granted.uris));
    }
    Value::Object(told)
}

impl Listening {
    /// Tells what has changed, until the server stops.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>, engine: &Engine, call: &Shared) -> Poll<Answer> {
        if !std::mem::replace(&mut self.acknowledged, true) {
            let params = json!({ "notifications": std::mem::take(&mut self.granted) });
            call.outbox.hand_over(tagged("notifications/subscriptions/acknowledged", params, call.id_json()));
            return Poll::Pending;
        }
        let is_over = self.lifetime.as_mut().is_some_and(|lifetime| lifetime.as_mut().poll(cx).is_ready());
        if is_over || self.stop.as_mut().poll(cx).is_ready() || call.outbox.winds_up() {
            return Poll::Ready(engine.ended(call));
        }
        if let Poll::Ready(change) = self.listener.poll_change(cx) {
            let (method, params) = notification(change);
            call.outbox.hand_over(tagged(method, params, call.id_json()));
        }
        Poll::Pending
    }
}

impl Engine {
    /// The end of a subscription: the answer to the request that began it.
    fn ended(&self, call: &Shared) -> Answer {
        #[derive(serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Ended<'e> {
            result_type: &'static str,
            #[serde(rename = "_meta")]
            meta: Meta<'e>,
        }
        let info = Some(&self.settings.info);
        let meta = Meta { subscription: raw(call.id_json()), info };
        let mut out = open(call.id_json(), 128);
        write(&mut out, &Ended { result_type: "complete", meta });
        out.push(b'}');
        Answer::result(Frame::from(out))
    }
}

/// The `_meta` of whatever belongs to a subscription.
#[derive(serde::Serialize)]
struct Meta<'m> {
    /// The id as it was written: no number is rounded.
    #[serde(rename = "io.modelcontextprotocol/subscriptionId")]
    subscription: Option<&'m RawValue>,
    #[serde(rename = "io.modelcontextprotocol/serverInfo", skip_serializing_if = "Option::is_none")]
    info: Option<&'m Implementation>,
}

fn raw(id: &str) -> Option<&RawValue> {
    serde_json::from_str(id).ok()
}

/// What tells a change: the method, and its parameters.
pub(crate) fn notification(change: Change) -> (&'static str, Value) {
    match change {
        Change::Tools => ("notifications/tools/list_changed", json!({})),
        Change::Prompts => ("notifications/prompts/list_changed", json!({})),
        Change::Resources => ("notifications/resources/list_changed", json!({})),
        Change::Resource(uri) => ("notifications/resources/updated", json!({ "uri": uri })),
    }
}

/// The same as a message of a handshake connection.
pub(crate) fn change_message(change: Change) -> Bytes {
    let (method, params) = notification(change);
    crate::protocol::notification(method, &params)
}

/// A notification that says which request it belongs to.
fn tagged(method: &str, params: Value, id: &str) -> Bytes {
    #[derive(serde::Serialize)]
    struct Params<'m> {
        _meta: Meta<'m>,
        #[serde(flatten)]
        params: Value,
    }
    let meta = Meta { subscription: raw(id), info: None };
    crate::protocol::notification(method, &Params { _meta: meta, params })
}
