//! The rules that look at a whole file, or at values that only make sense together.

agentry_text::rules! {
    /// Nothing says which kind of document a file is, or several things say different kinds.
    UNKNOWN_KIND = "unknown-kind", Error;
    /// The format of a file is not read.
    UNREAD_FORMAT = "unread-format", Error;
    /// The identifier of a document is not the name of its file or folder.
    NAME_MISMATCH = "name-mismatch", Error;
    /// A file is a template, to be filled in: it is not checked further.
    TEMPLATE = "template", Hint;
    /// A model that is paid by the call states no price of a call.
    MISSING_CALL_COST = "missing-call-cost", Warning;
    /// An alias of a model is the id or an alias of another one.
    AMBIGUOUS_ALIAS = "ambiguous-alias", Warning;
    /// A model's stated handling of earlier thinking contradicts what the model is known to need.
    ECHO_POLICY = "echo-policy", Hint;
    /// A placeholder of a prompt names no parameter.
    UNKNOWN_PLACEHOLDER = "unknown-placeholder", Warning;
    /// A parameter is declared, and the prompt never uses it.
    UNUSED_PARAMETER = "unused-parameter", Warning;
    /// A step depends on a step that is not there.
    UNKNOWN_STEP = "unknown-step", Warning;
    /// A step waits for itself, directly or by way of others.
    STEP_CIRCLE = "step-circle", Warning;
    /// A prompt asks for the result of a step that its own step does not wait for.
    UNAWAITED_STEP = "unawaited-step", Warning;
    /// Two things that a placeholder can name have one name.
    SHARED_NAME = "shared-name", Warning;
}
