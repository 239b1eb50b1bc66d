"""A server of `mcp` 2.x, which speaks both eras.

python server.py stdio | http PORT
"""

import sys
from typing import Annotated

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel, Field

server = MCPServer("outside-server", version="1.0.0", instructions="For tests.")


class Name(BaseModel):
    name: str = "Ali"


def who() -> Elicit[Name]:
    return Elicit("Who are you?", Name)


@server.tool(structured_output=False)
def add(a: int, b: int) -> str:
    """Adds."""
    return str(a + b)


@server.tool(structured_output=False)
def place(region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})]) -> str:
    """Says where."""
    return region


@server.tool(structured_output=False)
def greet(name: Annotated[Name, Resolve(who)]) -> str:
    """Asks."""
    return f"hello, {name.name}"


@server.tool(structured_output=False)
async def count(ctx: Context) -> str:
    """Tells how far it is."""
    for step in (1, 2, 3):
        await ctx.report_progress(step, 3)
    return "done"


@server.tool(structured_output=False)
async def change(ctx: Context) -> str:
    """Says that the tools have changed."""
    await ctx.notify_tools_changed()
    return "changed"


@server.resource("test://fixed", mime_type="text/plain")
def fixed() -> str:
    return "fixed"


@server.prompt()
def review(code: str) -> str:
    return f"Review {code}"


match sys.argv[1:]:
    case ["stdio"]:
        server.run()
    case ["http", port]:
        server.run("streamable-http", host="127.0.0.1", port=int(port))
