import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createUserDirectory } from './accounts/directory.ts';
import { createImageAnalyser } from './analyse-image.ts';
import type { Services } from './app.ts';
import type { Config } from './config.ts';
import type { SqlStores } from './engines/sql/stores.ts';
import type { FileSource } from './http/files.ts';
import { PASSAGE_RULES } from './library/passage.ts';
import type { LibraryPorts } from './library/ports.ts';
import type { RebuildableIndexes } from './library/reindex.ts';
import { createMcpEndpoint } from './mcp/endpoint.ts';
import { createRateLimit } from './middleware/rate-limit.ts';
import { createKeySet, ensureSigningKeys } from './oauth/key-set.ts';
import { protectedResources } from './oauth/resources.ts';
import { createTokenVerifier } from './oauth/verify-token.ts';
import { createAuthorizationServer } from './oauth/provider.ts';
import type { FetchDocument } from './oauth/fetch-document.ts';
import type { ImageStore } from './ports/image-store.ts';
import type { Rebuildable } from './ports/index-rebuild.ts';
import type { SearchIndex, SearchIndexInMaking } from './ports/search-index.ts';
import type { TextReader } from './ports/text-reader.ts';
import type { VectorIndex, VectorIndexInMaking, VectorSpaces } from './ports/vector-index.ts';
import { renderAuthorizationFault } from './pages/message-page.ts';
import { wirePages } from './wire-sign-in.ts';

export type { SqlStores };

/** Length of the layout vector: 9 × 16 cells × 4 orientations. */
const LAYOUT_SIZE = 576;
const MODELS_DIR = join(import.meta.dirname, '../models');

/** Public ones can be handed out by this server, whatever keeps them. */
type StoredImages = ImageStore & FileSource & { close(): Promise<void> };

/** An installation with its engines running. */
export interface OpenLibrary {
  stores: SqlStores;
  library: LibraryPorts;
  /** The indexes of the library, to be made anew. */
  rebuildable: RebuildableIndexes;
  images: StoredImages;
  /** Starts OCR; only ingest needs it. The caller closes it. */
  openTextReader(): Promise<TextReader>;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Take vectors that another embedding model made for none, until they are rebuilt, instead of refusing them. */
  forRebuild?: boolean;
}

/** Opens the catalogue and the accounts, creating `DATA_DIR` when it is not there. */
export async function openStores({
  dataDir,
  databaseUrl,
}: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<SqlStores> {
  await mkdir(dataDir, { recursive: true });
  if (databaseUrl !== undefined) {
    const { openPostgresStores } = await import('./engines/sql/open-postgres.ts');
    return openPostgresStores(databaseUrl);
  }
  const { openSqliteStores } = await import('./engines/sql/open-sqlite.ts');
  return openSqliteStores(join(dataDir, 'library.db'));
}

/**
 * Opens everything that the configuration names.
 * Throws ConfigurationError when stored vectors were made by another embedding model.
 */
export async function openLibrary(
  config: Pick<
    Config,
    | 'dataDir'
    | 'databaseUrl'
    | 'elasticsearch'
    | 'qdrant'
    | 's3'
    | 'storageUrl'
    | 'embeddingModel'
    | 'ocrWorkers'
  >,
  options: OpenOptions = {},
): Promise<OpenLibrary> {
  const { createTransformersEmbedder } = await import('./engines/transformers/embedder.ts');

  const opened: { close: () => Promise<void> }[] = [];
  const close = async () => {
    for (const engine of opened.toReversed()) await engine.close();
  };
  try {
    const stores = await openStores(config);
    opened.push(stores);
    const images = await openImages(config, stores);
    opened.push(images);
    const embedder = await createTransformersEmbedder({
      model: config.embeddingModel,
      modelsDir: MODELS_DIR,
    });
    opened.push(embedder);
    const search = await openSearch(config);
    opened.push(search);
    const spaces = {
      modelId: `${embedder.modelId} (${PASSAGE_RULES})`,
      sizes: { text: embedder.dims, visual: LAYOUT_SIZE },
    };
    const vectors = await openVectors(config, { ...options, spaces });
    opened.push(vectors);
    const openTextReader = async () => {
      const { createTesseractReader } = await import('./engines/tesseract/index.ts');
      return createTesseractReader({ workers: config.ocrWorkers });
    };
    const analyser = createImageAnalyser(openTextReader);
    opened.push(analyser);

    return {
      stores,
      library: { catalogue: stores.catalogue, search, vectors, embedder, images, analyser },
      rebuildable: { text: search, vectors },
      images,
      openTextReader,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openSearch({
  dataDir,
  elasticsearch,
}: Pick<Config, 'dataDir' | 'elasticsearch'>): Promise<SearchIndex & Rebuildable<SearchIndexInMaking>> {
  if (elasticsearch !== undefined) {
    const { createElasticsearchSearch } = await import('./engines/elasticsearch/index.ts');
    return createElasticsearchSearch(elasticsearch);
  }
  const { createSqliteSearch } = await import('./engines/sqlite-search/index.ts');
  const { createRebuildableSearch } = await import('./engines/generations/rebuildable.ts');
  const open = (file: string) => createSqliteSearch({ file });
  return createRebuildableSearch({ dir: dataDir, name: 'index', recipe: 'text', open });
}

async function openVectors(
  { dataDir, qdrant }: Pick<Config, 'dataDir' | 'qdrant'>,
  { spaces, ...options }: OpenOptions & { spaces: VectorSpaces },
): Promise<VectorIndex & Rebuildable<VectorIndexInMaking>> {
  if (qdrant !== undefined) {
    const { createQdrantVectors } = await import('./engines/qdrant/index.ts');
    return createQdrantVectors({ ...qdrant, spaces, ...options });
  }
  const { createExactVectors } = await import('./engines/exact-vectors/index.ts');
  const { createRebuildableVectors } = await import('./engines/generations/rebuildable.ts');
  const open = (file: string) => createExactVectors({ file, spaces });
  const recipe = JSON.stringify(spaces);
  return createRebuildableVectors({ dir: dataDir, name: 'vectors', recipe, open, ...options });
}

/** Where the configuration keeps images. */
export async function openImages(
  { dataDir, s3, storageUrl }: Pick<Config, 'dataDir' | 's3' | 'storageUrl'>,
  { secrets }: SqlStores,
): Promise<StoredImages> {
  if (s3 !== undefined) {
    const { openS3Images } = await import('./engines/s3/s3-images.ts');
    return openS3Images({ ...s3, storageUrl });
  }
  const { createFileImages } = await import('./engines/files/file-images.ts');
  const secret = await secrets.secret('download-urls');
  const images = createFileImages({ dir: join(dataDir, 'images'), storageUrl, secret });
  return { ...images, close: () => Promise.resolve() };
}

/**
 * What the HTTP application is made of. Makes the first signing keys where there are none.
 * @param edges the clock, and how metadata documents of clients are fetched
 */
export async function createServices(
  open: OpenLibrary,
  config: Config,
  log: Logger,
  { now = () => new Date(), fetchDocument }: { now?: () => Date; fetchDocument?: FetchDocument } = {},
): Promise<Services> {
  const { stores, library, images } = open;
  await ensureSigningKeys(stores.signingKeys, now());
  const keySet = createKeySet(stores.signingKeys, now);
  const resources = protectedResources(config);
  const verifierOf = (resource: typeof resources.api) =>
    createTokenVerifier({ issuer: config.baseUrl, resource, keySet, grants: stores.grants, now });
  const users = createUserDirectory(stores.accounts, now);
  const rateLimit = createRateLimit(config.rateLimit);
  const audit = log.child({ audit: true });
  const apiTokens = verifierOf(resources.api);
  const mcpTokens = verifierOf(resources.mcp);
  const authorizationServer = await createAuthorizationServer({
    issuer: config.baseUrl,
    resources,
    keySet,
    log,
    audit,
    now,
    verifiers: [apiTokens, mcpTokens],
    store: stores.oauth,
    secrets: stores.secrets,
    accounts: stores.accounts,
    approvedRedirectUris: config.approvedRedirectUris,
    rateLimit: config.rateLimit,
    faultPage: renderAuthorizationFault,
    ...(fetchDocument === undefined ? {} : { fetchDocument }),
  });
  return {
    config,
    library,
    files: images,
    users,
    keySet,
    resources,
    apiTokens,
    rateLimit,
    mcp: createMcpEndpoint({
      library,
      verifier: mcpTokens,
      directory: users,
      resource: resources.mcp,
      mcpPlans: config.mcpPlans,
      accountUrl: `${config.baseUrl}/account`,
      docsUrl: `${config.baseUrl}/docs`,
      rateLimit,
      log,
    }),
    log,
    authorizationServer,
    pages: wirePages({
      stores,
      config,
      resources,
      interactions: authorizationServer.interactions,
      audit,
      now,
    }),
    audit,
    now,
  };
}
