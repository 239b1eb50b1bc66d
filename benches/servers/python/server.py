"""`add` with the Python SDK: over HTTP at `PORT`, else over stdio."""

import os

from mcp.server.mcpserver import MCPServer

server = MCPServer("python")


@server.tool()
def add(a: int, b: int) -> str:
    """Adds two numbers"""
    return str(a + b)


if port := os.environ.get("PORT"):
    import uvicorn

    app = server.streamable_http_app(
        streamable_http_path="/mcp", json_response=True, stateless_http=True, host="127.0.0.1"
    )
    uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="error", access_log=False)
else:
    server.run("stdio")
