"""The client of `mcp` 2.x, in the modern era or in that of the handshake.

python client.py modern|handshake stdio PATH | http URL
"""

import json
import sys
import time
from contextlib import asynccontextmanager

import anyio
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

import weather

REVISIONS = {"modern": "2026-07-28", "handshake": "2025-11-25"}


async def converse(era: str, transport: object) -> None:
    # By itself the client asks `server/discover`, and falls back to a handshake where that is not answered.
    mode = "auto" if era == "modern" else "legacy"
    async with Client(transport, mode=mode, read_timeout_seconds=20) as client:
        assert client.protocol_version == REVISIONS[era], client.protocol_version
        assert (client.session.discover_result is not None) == (era == "modern")
        assert (client.session.initialize_result is not None) == (era == "handshake")
        await weather.check(client, era)


async def over_stdio(era: str, path: str) -> None:
    started = []

    # The transport keeps the process to itself.
    open_process = anyio.open_process

    async def recorded(*args, **kwargs):
        started.append(await open_process(*args, **kwargs))
        return started[-1]

    anyio.open_process = recorded

    parted = []

    @asynccontextmanager
    async def transport():
        async with stdio_client(StdioServerParameters(command=path)) as streams:
            yield streams
            parted.append(time.monotonic())

    await converse(era, transport())
    # The client sends a signal after two seconds; until then the server ends by itself, as its input has ended.
    took = time.monotonic() - parted[0]
    assert took < 1.9, f"the server took {took:.1f} s to end after its input had ended"
    assert [process.returncode for process in started] == [0], started


async def over_http(era: str, url: str) -> None:
    requests = []

    async def recorded(request: httpx2.Request) -> None:
        message = json.loads(request.content) if request.method == "POST" else {}
        requests.append((message, request.headers))

    async with httpx2.AsyncClient(timeout=20, event_hooks={"request": [recorded]}) as http_client:
        await converse(era, streamable_http_client(url, http_client=http_client))

    methods = [message.get("method") for message, _ in requests]
    assert ("initialize" in methods) == (era == "handshake"), methods
    assert ("server/discover" in methods) == (era == "modern"), methods
    calls = [
        headers
        for message, headers in requests
        if message.get("method") == "tools/call" and message["params"]["name"] == "forecast"
    ]
    assert len(calls) == 4, methods
    for headers in calls:
        assert headers["mcp-protocol-version"] == REVISIONS[era], headers
        assert headers.get("mcp-param-region") == ("eu" if era == "modern" else None), headers


if __name__ == "__main__":
    _, era, kind, server = sys.argv
    anyio.run(over_http if kind == "http" else over_stdio, era, server)
