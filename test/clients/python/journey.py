"""A client on the `mcp` package that connects, refreshes, revokes, and is refused. Its user is whoever reads its output.

Usage: python3 journey.py MCP_URL REDIRECT_URI MODE [METADATA_DOCUMENT_URL]

Each line of its output is a JSON object with one event. After `open` it waits for a line with the address that the
browser was sent back to, after `revoked` for any line.
"""

import asyncio
import json
import os
import sys
import time
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata


class Memory:
    """What an app keeps of a connection."""

    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


def tell(event, **details):
    print(json.dumps({"event": event, **details}), flush=True)


async def ask_user(url):
    tell("open", url=url)


async def answer_of_user():
    line = await asyncio.to_thread(sys.stdin.readline)
    if line.strip() == "":
        # Nobody comes back; what the package makes of that is not the question here.
        os._exit(0)
    query = parse_qs(urlsplit(line.strip()).query)
    return AuthorizationCodeResult(**{name: query[name][0] for name in ("code", "state", "iss")})


async def call(client):
    result = await client.call_tool("list_filters", {})
    tell("called", failed=bool(result.is_error))


async def main(url, redirect_uri, mode, document=None):
    memory = Memory()
    metadata = OAuthClientMetadata(
        client_name="Drawing Board", redirect_uris=[redirect_uri], token_endpoint_auth_method="none"
    )
    auth = OAuthClientProvider(url, metadata, memory, ask_user, answer_of_user, document)
    async with httpx2.AsyncClient(auth=auth, timeout=30) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            await call(client)
            tell("connected", client_id=memory.client.client_id, scope=memory.tokens.scope)

            first = memory.tokens
            # This package refreshes once it believes that the token has expired.
            auth.context.token_expiry_time = time.time() - 1
            await call(client)
            tell("refreshed", rotated=memory.tokens.refresh_token != first.refresh_token)

            async with httpx2.AsyncClient() as plain:
                body = {"token": memory.tokens.refresh_token, "token_type_hint": "refresh_token"}
                revoked = await plain.post(str(auth.context.oauth_metadata.revocation_endpoint), json=body)
            tell("revoked", status=revoked.status_code)
            await asyncio.to_thread(sys.stdin.readline)
            await call(client)


asyncio.run(main(*sys.argv[1:]))
