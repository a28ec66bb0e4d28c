//! Where the MCP server of a tool is.

use agentry_text::{Invalid, text_type};
use url::Url;

const FORM: &str =
    "an MCP endpoint: `mcp+stdio://` and a command, or `mcp+http://` or `mcp+sse://` and an address";
const EXAMPLE: &str = "mcp+http://https://tools.example.com/mcp";

text_type! {
    /// Where the MCP server is that runs a tool: `mcp+stdio://` and a command to start, or `mcp+http://` or
    /// `mcp+sse://` and an address. The address may have a scheme of its own, `http` or `https`; without one it
    /// is read as `http`. A credential does not belong here.
    pub struct McpEndpoint {
        pattern: r"^mcp\+(stdio://[^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*|(http|sse)://[^\x00-\x20\x7f]+)$",
        form: FORM,
        example: EXAMPLE,
        beyond: "the URL standard can parse the address of a remote server, as one of `http` or `https`",
        check: |text| match parse(text) {
            Some(_) => Ok(()),
            None => Err(Invalid::form(text, FORM, EXAMPLE).label("not an address")),
        },
    }
}

/// What an MCP endpoint names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum McpServer<'e> {
    /// A program that is started and talks over its standard input and output: the command line as written.
    Stdio(&'e str),
    /// A server that speaks streamable HTTP.
    Http(Url),
    /// A server that sends its answers as server-sent events: the older remote transport.
    Sse(Url),
}

impl McpEndpoint {
    /// The server that it names.
    #[expect(clippy::missing_panics_doc, reason = "checked when the value was made")]
    pub fn server(&self) -> McpServer<'_> {
        parse(self.as_str()).expect("checked when it was made")
    }
}

fn parse(text: &str) -> Option<McpServer<'_>> {
    let rest = text.strip_prefix("mcp+")?;
    if let Some(command) = rest.strip_prefix("stdio://") {
        return Some(McpServer::Stdio(command.trim()));
    }
    let (transport, address) = rest.split_once("://")?;
    let url = match address.split_once("://") {
        // A colon before the first slash that is no scheme's belongs to a port: those have no `://`.
        Some((scheme, _)) if !scheme.contains(['/', '?', '#']) => {
            matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https").then(|| Url::parse(address))?
        }
        _ => Url::parse(&format!("http://{address}")),
    }
    .ok()?;
    match transport {
        "http" => Some(McpServer::Http(url)),
        "sse" => Some(McpServer::Sse(url)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints_name_a_command_or_an_address() {
        for (text, server) in [
            ("mcp+stdio://npx", Some("stdio npx")),
            ("mcp+stdio://npx -y @acme/tools --port 1", Some("stdio npx -y @acme/tools --port 1")),
            ("mcp+http://tools.example.com/mcp", Some("http http://tools.example.com/mcp")),
            ("mcp+http://localhost:8080", Some("http http://localhost:8080/")),
            ("mcp+http://https://tools.example.com/mcp", Some("http https://tools.example.com/mcp")),
            ("mcp+sse://https://tools.example.com/sse", Some("sse https://tools.example.com/sse")),
            (
                "mcp+http://tools.example.com/to?next=https://x.example",
                Some("http http://tools.example.com/to?next=https://x.example"),
            ),
            ("mcp+stdio://", None),
            ("mcp+stdio://  ", None),
            ("mcp+stdio:", None),
            ("mcp+stdio://a\nb", None),
            ("mcp+http://", None),
            ("mcp+http://https://", None),
            ("mcp+http://ftp://tools.example.com", None),
            ("mcp+http://tools.example.com:99999", None),
            ("mcp+http://two words", None),
            ("mcp+ws://tools.example.com", None),
            ("http://tools.example.com", None),
            ("MCP+HTTP://tools.example.com", None),
            ("", None),
        ] {
            let found = McpEndpoint::new(text).ok().map(|endpoint| match endpoint.server() {
                McpServer::Stdio(command) => format!("stdio {command}"),
                McpServer::Http(url) => format!("http {url}"),
                McpServer::Sse(url) => format!("sse {url}"),
            });
            assert_eq!(found.as_deref(), server, "{text:?}");
        }
    }
}
