//! One message on its way through a stack.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::extensions::Extensions;
use super::reply::Reply;
use crate::auth::Principal;
use crate::call::{Context, RequestId, Shared, Span, Transport};
use crate::protocol::envelope::Envelope;
use crate::protocol::members;
use crate::protocol::method::MethodName;
use crate::protocol::{Era, Implementation, Meta, Revision, one_line};

/// What kind of message a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It is answered.
    Request,
    /// Nothing is answered.
    Notification,
    /// It answers a request that went the other way.
    Answer,
}

type Handle = Arc<dyn Fn(Call) -> Pin<Box<dyn Future<Output = Reply> + Send>> + Send + Sync>;

/// What stands behind the last middleware.
#[derive(Clone)]
pub(crate) enum End {
    /// It is handled.
    Handled(Handle),
    /// It is taken, the first time that it comes.
    Taken(Arc<OnceLock<Call>>),
}

impl End {
    pub(crate) fn handled(
        end: impl Fn(Call) -> Pin<Box<dyn Future<Output = Reply> + Send>> + Send + Sync + 'static,
    ) -> Self {
        Self::Handled(Arc::new(end))
    }
}

/// One message on its way through a stack, and what is known of it.
///
/// A clone is the same message.
#[derive(Clone)]
pub struct Call(Box<Parts>);

#[derive(Clone)]
struct Parts {
    kind: Kind,
    method: MethodName,
    /// The call that it is, or belongs to.
    of: Option<Arc<Shared>>,
    message: Message,
    /// Of an answer.
    reply: Reply,
    extensions: Extensions,
    /// None once it is there.
    end: Option<End>,
}

#[derive(Clone)]
enum Message {
    /// It is the message of the call.
    Received,
    /// It is another, as it was written.
    Written(Bytes),
    Changed(Box<Meta>),
}

/// A message, read as far as a call needs it.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow, default)]
    method: Cow<'a, str>,
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
}

impl Call {
    /// A request or a notification that came to a server.
    pub(crate) fn received(of: Arc<Shared>, kind: Kind, end: End) -> Self {
        Self(Box::new(Parts {
            kind,
            method: of.method.clone(),
            of: Some(of),
            message: Message::Received,
            reply: Reply::none(),
            extensions: Extensions::default(),
            end: Some(end),
        }))
    }

    /// A request or a notification that leaves a server, in a call or outside of any.
    pub(crate) fn leaving(of: Option<Arc<Shared>>, message: Bytes, end: End) -> Self {
        let head: Option<Head<'_>> = serde_json::from_slice(&message).ok();
        let is_request = head.as_ref().is_some_and(|head| head.id.is_some());
        let method = MethodName::parse(head.map(|head| head.method).unwrap_or_default().as_ref());
        Self(Box::new(Parts {
            kind: if is_request { Kind::Request } else { Kind::Notification },
            method,
            of,
            message: Message::Written(message),
            reply: Reply::none(),
            extensions: Extensions::default(),
            end: Some(end),
        }))
    }

    /// An answer, to a request of that method.
    pub(crate) fn answer(of: Option<Arc<Shared>>, method: MethodName, reply: Reply, end: End) -> Self {
        Self(Box::new(Parts {
            kind: Kind::Answer,
            method,
            of,
            message: Message::Received,
            reply,
            extensions: Extensions::default(),
            end: Some(end),
        }))
    }

    /// A message that leaves a client or comes to it, as it is written; `reply` is what an answer says.
    #[cfg(feature = "client")]
    pub(crate) fn of_client(kind: Kind, method: &str, message: Bytes, reply: Reply, end: End) -> Self {
        Self(Box::new(Parts {
            kind,
            method: MethodName::parse(method),
            of: None,
            message: Message::Written(message),
            reply,
            extensions: Extensions::default(),
            end: Some(end),
        }))
    }

    pub(super) async fn end(mut self) -> Reply {
        match self.0.end.take() {
            Some(End::Handled(end)) => end(self).await,
            Some(End::Taken(taken)) => {
                // What comes a second time changes nothing.
                let _ = taken.set(self);
                Reply::none()
            }
            None => Reply::none(),
        }
    }

    /// The message, as it is to leave.
    pub(crate) fn into_bytes(self) -> Bytes {
        match self.0.message {
            Message::Written(message) => message,
            Message::Changed(members) => one_line(serde_json::to_vec(&members).unwrap_or_default()),
            Message::Received => Bytes::new(),
        }
    }

    pub(crate) fn into_reply(self) -> Reply {
        self.0.reply
    }

    pub(crate) fn take_extensions(&mut self) -> Extensions {
        std::mem::take(&mut self.0.extensions)
    }
}

impl Call {
    /// What kind of message it is.
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// The method: of an answer, that of the request it belongs to.
    pub fn method(&self) -> &str {
        self.0.method.as_str()
    }

    /// The id of the request that it is, or answers.
    pub fn request_id(&self) -> Option<RequestId> {
        match (&self.0.message, self.0.kind) {
            (_, Kind::Notification) => None,
            (Message::Received, _) => self.0.of.as_ref()?.request_id(),
            (Message::Written(message), _) => {
                let head: Head<'_> = serde_json::from_slice(message).ok()?;
                Some(RequestId::of(message, Span::of(message, head.id?.get())))
            }
            (Message::Changed(members), _) => {
                let id = Bytes::from(members.get("id")?.to_string());
                let all = Span::of(&id, std::str::from_utf8(&id).ok()?);
                Some(RequestId::of(&id, all))
            }
        }
    }

    /// The parameters, `_meta` included; `null` where there are none, as in an answer. Reading them takes time.
    pub fn params(&self) -> Value {
        if self.0.kind == Kind::Answer {
            return Value::Null;
        }
        match &self.0.message {
            Message::Changed(members) => members.get("params").cloned().unwrap_or_default(),
            Message::Written(_) | Message::Received => members::params(self.body()),
        }
    }

    /// What is called: the name of a tool or a prompt, the URI of a resource; `None` where the method calls nothing, and in
    /// an answer. To read it takes less time than to read all of [`params`](Self::params).
    pub fn name(&self) -> Option<String> {
        let method = self.method();
        let is_resource = method.strip_prefix("notifications/").unwrap_or(method).starts_with("resources/");
        if self.0.kind == Kind::Answer {
            return None;
        }
        if let Message::Changed(members) = &self.0.message {
            let name = members.get("params")?.get(if is_resource { "uri" } else { "name" });
            return name?.as_str().map(str::to_owned);
        }
        // Read as the server reads it, so that what is looked at is what is called.
        let message = Envelope::again(self.body())?;
        let params = message.params.as_ref()?;
        let name = if is_resource { &params.uri } else { &params.name };
        name.text().map(str::to_owned)
    }

    /// The `_meta` of the parameters; empty where there is none.
    pub fn meta(&self) -> Meta {
        if let Message::Changed(members) = &self.0.message {
            let meta = members.get("params").and_then(|params| params.get("_meta")?.as_object());
            return meta.cloned().unwrap_or_default();
        }
        if self.0.kind == Kind::Answer { Meta::new() } else { members::meta(self.body()) }
    }

    /// Sets a member of the `_meta` of a message that leaves. Answers have theirs in the result; of a message that has
    /// come, or whose `_meta` is no object, nothing is changed.
    pub fn set_meta(&mut self, name: impl Into<String>, value: impl Into<Value>) {
        if let Message::Written(message) = &self.0.message {
            let Ok(members) = serde_json::from_slice(message) else { return };
            self.0.message = Message::Changed(members);
        }
        if let Message::Changed(members) = &mut self.0.message {
            let params = members.entry("params").or_insert_with(|| Meta::new().into());
            // What is no object has no members.
            let Some(params) = params.as_object_mut() else { return };
            let meta = params.entry("_meta").or_insert_with(|| Meta::new().into());
            if let Some(meta) = meta.as_object_mut() {
                meta.insert(name.into(), value.into());
            }
        }
    }

    /// What an answer says; of other messages, nothing.
    pub fn reply(&mut self) -> &mut Reply {
        &mut self.0.reply
    }

    /// How long the message is, in bytes; 0 for an answer.
    pub fn size(&self) -> usize {
        if self.0.kind == Kind::Answer { 0 } else { self.body().len() }
    }

    fn body(&self) -> &[u8] {
        match (&self.0.message, &self.0.of) {
            (Message::Written(message), _) => message,
            (Message::Received, Some(of)) => &of.body,
            _ => &[],
        }
    }

    /// Attaches a value, one of each type: to be read by what stands behind, in a handler as `Extension<T>`.
    pub fn insert<T: Any + Send + Sync>(&mut self, value: T) {
        self.0.extensions.insert(value);
    }

    /// The value of that type that was attached.
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.0.extensions.get()
    }
}

/// What a server knows of the call that the message is, or belongs to; `None` for what belongs to none, such as the news
/// that a list has changed.
impl Call {
    fn context(&self) -> Option<Context> {
        self.0.of.clone().map(Context)
    }

    /// The era that the client speaks.
    pub fn era(&self) -> Option<Era> {
        self.revision().map(Revision::era)
    }

    /// The revision that the client speaks.
    pub fn revision(&self) -> Option<Revision> {
        self.0.of.as_ref().map(|of| of.revision)
    }

    /// What the client is connected by.
    pub fn transport(&self) -> Option<Transport> {
        self.0.of.as_ref().map(|of| of.transport)
    }

    /// Who the call is made for.
    pub fn principal(&self) -> Option<&Principal> {
        self.0.of.as_ref().map(|of| &of.principal)
    }

    /// The id of the session that it belongs to.
    pub fn session_id(&self) -> Option<&str> {
        self.0.of.as_ref()?.session.as_deref()
    }

    /// What the client calls itself. Not verified.
    pub fn client_info(&self) -> Option<Implementation> {
        self.context()?.client_info()
    }

    /// The trace that the call is a part of: the `traceparent` of its `_meta`, else of its HTTP request, where there is a
    /// well-formed one (W3C Trace Context).
    pub fn trace_parent(&self) -> Option<String> {
        self.0.of.as_ref()?.trace_parent()
    }

    /// The headers of the HTTP request.
    #[cfg(feature = "http")]
    pub fn headers(&self) -> Option<&http::HeaderMap> {
        self.0.of.as_ref()?.http.as_ref().map(|parts| &parts.headers)
    }
}

impl fmt::Debug for Call {
    /// Shows what it is and none of its payload.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("kind", &self.0.kind)
            .field("method", &self.method())
            .field("id", &self.request_id())
            .finish_non_exhaustive()
    }
}
