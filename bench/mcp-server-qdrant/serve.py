"""Serves the package mcp-server-qdrant in its local mode over vectors that were made before.

Its own embedder downloads a model, so it is given one that looks vectors up.

Usage: serve.py FOLDER PORT. FOLDER has meta.json ({"dims", "documents", "queries"}, texts in order) and vectors.f32
(little-endian, those of the documents, then those of the queries).
"""

import asyncio
import json
import sys
from pathlib import Path

import numpy
from mcp_server_qdrant.embeddings.base import EmbeddingProvider
from mcp_server_qdrant.mcp_server import QdrantMCPServer
from mcp_server_qdrant.settings import QdrantSettings, ToolSettings
from qdrant_client import models

COLLECTION = "screens"
VECTOR_NAME = "text"
BATCH = 1000


class LookedUp(EmbeddingProvider):
    def __init__(self, vectors: dict[str, list[float]], dims: int):
        self._vectors = vectors
        self._dims = dims

    async def embed_documents(self, documents: list[str]) -> list[list[float]]:
        return [self._vectors[document] for document in documents]

    async def embed_query(self, query: str) -> list[float]:
        return self._vectors[query]

    def get_vector_name(self) -> str:
        return VECTOR_NAME

    def get_vector_size(self) -> int:
        return self._dims


async def fill(server: QdrantMCPServer, documents: list[str], vectors: numpy.ndarray) -> None:
    """Its own way in takes one document at a time; the points are the same."""
    connector = server.qdrant_connector
    await connector._ensure_collection_exists(COLLECTION)
    for start in range(0, len(documents), BATCH):
        await connector._client.upsert(
            collection_name=COLLECTION,
            points=[
                models.PointStruct(
                    id=index,
                    vector={VECTOR_NAME: vectors[index].tolist()},
                    payload={"document": documents[index], "metadata": None},
                )
                for index in range(start, min(start + BATCH, len(documents)))
            ],
        )


def main() -> None:
    folder, port = Path(sys.argv[1]), int(sys.argv[2])
    meta = json.loads((folder / "meta.json").read_text())
    vectors = numpy.fromfile(folder / "vectors.f32", dtype="<f4").reshape(-1, meta["dims"])
    documents, queries = meta["documents"], meta["queries"]
    looked_up = {query: vectors[len(documents) + index].tolist() for index, query in enumerate(queries)}
    # Sessions and event streams, which nothing here needs, would only cost it time.
    server = QdrantMCPServer(
        tool_settings=ToolSettings(),
        qdrant_settings=QdrantSettings(
            COLLECTION_NAME=COLLECTION, QDRANT_LOCAL_PATH=str(folder / "qdrant"), QDRANT_READ_ONLY=True
        ),
        embedding_provider=LookedUp(looked_up, meta["dims"]),
        stateless_http=True,
        json_response=True,
    )
    asyncio.run(fill(server, documents, vectors))
    server.run(transport="streamable-http", host="127.0.0.1", port=port, log_level="error")


main()
