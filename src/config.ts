import { z } from 'zod';
import { PLANS, parsePlan, type Plan } from './domain/vocabulary.ts';

/** Everything an operator can set; README's table of settings says what each is for. */
export interface Config {
  /** Origins without a trailing slash. */
  baseUrl: string;
  mcpUrl: string;
  storageUrl: string;
  /** Addresses to listen on. */
  hosts: string[];
  port: number;
  dataDir: string;
  /** Postgres, instead of a SQLite file in `dataDir`. Holds a password. */
  databaseUrl?: string;
  /** Text search in Elasticsearch, instead of a SQLite file in `dataDir`. */
  elasticsearch?: ElasticsearchSettings;
  /** Vectors in Qdrant, instead of a SQLite file in `dataDir`. */
  qdrant?: QdrantSettings;
  /** Images in a bucket, instead of files in `dataDir`. */
  s3?: S3Settings;
  embeddingModel: string;
  downloadPlans: Plan[];
  mcpPlans: Plan[];
  approvedRedirectUris: string[];
  /** Another OpenID provider that people can sign in at. */
  oidc?: UpstreamProvider;
  sample: boolean;
  ocrWorkers: number;
  /** Requests a minute and user; 0 is off. */
  rateLimit: number;
  /** Origins of browser clients, besides loopback and our own. */
  allowedOrigins: string[];
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  trustProxy: boolean;
}

export interface ElasticsearchSettings {
  url: string;
  apiKey?: string;
  /** Alias of the index; installations that share a cluster need one each. */
  index: string;
}

export interface QdrantSettings {
  url: string;
  apiKey?: string;
  /** What the names of its collections begin with. */
  name: string;
}

export interface S3Settings {
  bucket: string;
  /** Of any other server than AWS's own. */
  endpoint?: string;
  /** Where clients reach that server, when it is elsewhere for them. */
  publicEndpoint?: string;
  /** Absent: as the AWS tools find it. */
  region?: string;
}

export interface UpstreamProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Claim that names the plan. */
  planClaim?: string;
}

const DEFAULT_PORT = 3000;
export const DEFAULT_BASE_URL = `http://localhost:${DEFAULT_PORT}`;
export const DEFAULT_DATA_DIR = './data';

/** Exit code of a process whose configuration cannot be used (EX_CONFIG of sysexits.h). */
export const EXIT_CONFIGURATION = 78;

/** All faults of the settings, one line each. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

const origin = z.string().transform((value, context) => {
  const url = URL.parse(value);
  const usable =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    !/[?#]/.test(value);
  if (!usable || url.pathname !== '/') {
    context.addIssue(
      `must be an origin such as https://vitrine.example.com, without path, query or fragment`,
    );
    return z.NEVER;
  }
  return url.origin;
});

const storageUrl = z.string().transform((value, context) => {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol) || /[?#]/.test(value)) {
    context.addIssue('must be an http or https URL without query or fragment');
    return z.NEVER;
  }
  return value.replace(/\/$/, '');
});

/** Its tokens are believed, so nobody may be able to speak in its place. */
const issuer = z.string().transform((value, context) => {
  const url = URL.parse(value);
  const safe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackOrigin(value));
  if (url === null || !safe || url.username !== '' || url.password !== '' || /[?#]/.test(value)) {
    context.addIssue('must be an https URL without query or fragment (http only on this machine)');
    return z.NEVER;
  }
  return value;
});

/** The fault never repeats the value: it holds a password. */
const databaseUrl = z.string().refine((value) => {
  const url = URL.parse(value);
  return url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1;
}, 'must be an address such as postgres://user:password@host:5432/database');

/** A password in an address ends up in logs; a key of its own does not. */
const engineUrl = (example: string, keySetting: string) =>
  z.string().refine((value) => {
    const url = URL.parse(value);
    const withoutPassword = url?.username === '' && url.password === '';
    return /^https?:/.test(value) && withoutPassword && !/[?#]/.test(value);
  }, `must be an address such as ${example}, without user and password (use ${keySetting})`);

const wholeNumber = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${minimum} to ${maximum}`)
    .transform(Number)
    .pipe(z.number().min(minimum, `must be at least ${minimum}`).max(maximum, `must be at most ${maximum}`));

const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

const plans = list.transform((values, context) =>
  values.map((value) => {
    const plan = parsePlan(value);
    if (plan === undefined) {
      context.addIssue(`has the unknown plan "${value}"; the plans are ${PLANS.join(', ')}`);
      return z.NEVER;
    }
    return plan;
  }),
);

const switchOf = (yes: string, no: string) =>
  z.enum([yes, no], `must be ${yes} or ${no}`).transform((value) => value === yes);

/** Absent and empty settings take their default. */
const SETTINGS = z.object({
  BASE_URL: origin.optional(),
  MCP_URL: origin.optional(),
  STORAGE_URL: storageUrl.optional(),
  HOST: z.string().optional(),
  PORT: wholeNumber(0, 65_535).default(DEFAULT_PORT),
  DATA_DIR: z.string().default(DEFAULT_DATA_DIR),
  DATABASE_URL: databaseUrl.optional(),
  ELASTICSEARCH_URL: engineUrl('https://search.example.com:9200', 'ELASTICSEARCH_API_KEY').optional(),
  ELASTICSEARCH_API_KEY: z.string().optional(),
  QDRANT_URL: engineUrl('http://vectors.example.com:6333', 'QDRANT_API_KEY').optional(),
  QDRANT_API_KEY: z.string().optional(),
  QDRANT_COLLECTION: z
    .string()
    .regex(/^[A-Za-z0-9][\w-]{0,99}$/, 'must be at most 100 letters, digits and - _')
    .default('vitrine-screens'),
  ELASTICSEARCH_INDEX: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_.-]{0,99}$/, 'must be at most 100 small letters, digits and - _ .')
    .default('vitrine-screens'),
  S3_BUCKET: z.string().optional(),
  S3_ENDPOINT: origin.optional(),
  S3_PUBLIC_ENDPOINT: origin.optional(),
  S3_REGION: z.string().optional(),
  EMBEDDING_MODEL: z.string().default('builtin'),
  DOWNLOAD_PLANS: plans.default(['pro', 'team']),
  MCP_PLANS: plans.default(['pro', 'team', 'enterprise']),
  APPROVED_REDIRECT_URIS: list.default([]),
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_PLAN_CLAIM: z.string().optional(),
  SAMPLE: switchOf('on', 'off').default(true),
  OCR_WORKERS: wholeNumber(1, 64).default(1),
  RATE_LIMIT: wholeNumber(0, 1_000_000).default(600),
  ALLOWED_ORIGINS: list.pipe(z.array(origin)).default([]),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be one of fatal, error, warn, info, debug, trace, silent',
    )
    .default('info'),
  TRUST_PROXY: switchOf('on', 'off').default(false),
});

export const SETTING_NAMES: readonly string[] = Object.keys(SETTINGS.shape);

/**
 * Reads the settings. Throws SettingsError with every fault at once: malformed values, and names that are one
 * typing error away from a setting (`BASE_ULR`), because a misspelled setting would silently have no effect.
 */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const faults = misspelled(Object.keys(env));
  const given = Object.fromEntries(
    SETTING_NAMES.map((name) => [name, env[name]]).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = SETTINGS.safeParse(given);
  if (!result.success) {
    faults.push(...result.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}.`));
  }
  faults.push(...incomplete(given));
  if (!result.success || faults.length > 0) throw new SettingsError(faults);

  const settings = result.data;
  const baseUrl = settings.BASE_URL ?? `http://localhost:${settings.PORT}`;
  return {
    baseUrl,
    mcpUrl: settings.MCP_URL ?? baseUrl,
    storageUrl: settings.STORAGE_URL ?? `${baseUrl}/files`,
    hosts: settings.HOST === undefined ? ['127.0.0.1', '::1'] : [settings.HOST],
    port: settings.PORT,
    dataDir: settings.DATA_DIR,
    ...(settings.DATABASE_URL === undefined ? {} : { databaseUrl: settings.DATABASE_URL }),
    ...s3Settings(settings),
    ...elasticsearchOf(settings),
    ...qdrantOf(settings),
    embeddingModel: settings.EMBEDDING_MODEL,
    downloadPlans: settings.DOWNLOAD_PLANS,
    mcpPlans: settings.MCP_PLANS,
    approvedRedirectUris: settings.APPROVED_REDIRECT_URIS,
    ...upstreamProvider(settings),
    sample: settings.SAMPLE,
    ocrWorkers: settings.OCR_WORKERS,
    rateLimit: settings.RATE_LIMIT,
    allowedOrigins: settings.ALLOWED_ORIGINS,
    logLevel: settings.LOG_LEVEL,
    trustProxy: settings.TRUST_PROXY,
  };
}

/** These make sense together only. */
const TOGETHER: readonly { needed: readonly string[]; optional: readonly string[] }[] = [
  { needed: ['ELASTICSEARCH_URL'], optional: ['ELASTICSEARCH_API_KEY', 'ELASTICSEARCH_INDEX'] },
  { needed: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'], optional: ['OIDC_PLAN_CLAIM'] },
  { needed: ['QDRANT_URL'], optional: ['QDRANT_API_KEY', 'QDRANT_COLLECTION'] },
  { needed: ['S3_BUCKET'], optional: ['S3_ENDPOINT', 'S3_REGION'] },
  { needed: ['S3_ENDPOINT'], optional: ['S3_PUBLIC_ENDPOINT'] },
];

function incomplete(given: Record<string, string | undefined>): string[] {
  return TOGETHER.flatMap(({ needed, optional }) => {
    const present = [...needed, ...optional].filter((name) => given[name] !== undefined);
    const missing = needed.filter((name) => given[name] === undefined);
    if (present.length === 0 || missing.length === 0) return [];
    return [`${present.join(', ')} needs ${missing.join(' and ')} as well.`];
  });
}

function s3Settings(settings: z.output<typeof SETTINGS>): { s3?: S3Settings } {
  const { S3_BUCKET, S3_ENDPOINT, S3_PUBLIC_ENDPOINT, S3_REGION } = settings;
  if (S3_BUCKET === undefined) return {};
  return {
    s3: {
      bucket: S3_BUCKET,
      ...(S3_ENDPOINT === undefined ? {} : { endpoint: S3_ENDPOINT }),
      ...(S3_PUBLIC_ENDPOINT === undefined ? {} : { publicEndpoint: S3_PUBLIC_ENDPOINT }),
      ...(S3_REGION === undefined ? {} : { region: S3_REGION }),
    },
  };
}

function elasticsearchOf(settings: z.output<typeof SETTINGS>): { elasticsearch?: ElasticsearchSettings } {
  const { ELASTICSEARCH_URL, ELASTICSEARCH_API_KEY, ELASTICSEARCH_INDEX } = settings;
  if (ELASTICSEARCH_URL === undefined) return {};
  return {
    elasticsearch: {
      url: ELASTICSEARCH_URL,
      ...(ELASTICSEARCH_API_KEY === undefined ? {} : { apiKey: ELASTICSEARCH_API_KEY }),
      index: ELASTICSEARCH_INDEX,
    },
  };
}

function qdrantOf(settings: z.output<typeof SETTINGS>): { qdrant?: QdrantSettings } {
  const { QDRANT_URL, QDRANT_API_KEY, QDRANT_COLLECTION } = settings;
  if (QDRANT_URL === undefined) return {};
  const apiKey = QDRANT_API_KEY === undefined ? {} : { apiKey: QDRANT_API_KEY };
  return { qdrant: { url: QDRANT_URL, ...apiKey, name: QDRANT_COLLECTION } };
}

function upstreamProvider(settings: z.output<typeof SETTINGS>): { oidc?: UpstreamProvider } {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_PLAN_CLAIM } = settings;
  if (OIDC_ISSUER === undefined || OIDC_CLIENT_ID === undefined || OIDC_CLIENT_SECRET === undefined)
    return {};
  return {
    oidc: {
      issuer: OIDC_ISSUER,
      clientId: OIDC_CLIENT_ID,
      clientSecret: OIDC_CLIENT_SECRET,
      ...(OIDC_PLAN_CLAIM === undefined ? {} : { planClaim: OIDC_PLAN_CLAIM }),
    },
  };
}

/** Reads the settings, or prints every fault and ends the process with EXIT_CONFIGURATION. */
export function readConfigOrExit(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    for (const fault of error.faults) process.stderr.write(`${fault}\n`);
    process.exit(EXIT_CONFIGURATION);
  }
}

/** Is the service reached on this machine only? Decides about the demo account and the aliases of localhost. */
export function isLoopbackOrigin(value: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(value).hostname);
}

/** Names that other programs use; they resemble ours by chance. */
const NAMES_OF_OTHERS = new Set(['HOSTS', 'PORTS', 'POST', 'HOME', 'SIMPLE']);

function misspelled(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    if (SETTING_NAMES.includes(name) || NAMES_OF_OTHERS.has(name) || name.length < 5) return [];
    const meant = SETTING_NAMES.find((setting) => isOneEditAway(name, setting));
    return meant === undefined ? [] : [`${name} is not a setting; ${meant} is probably meant.`];
  });
}

/** One letter inserted, left out, replaced, or two neighbours swapped; letter case does not matter. */
function isOneEditAway(a: string, b: string): boolean {
  const [from, to] = [a.toUpperCase(), b];
  if (from === to) return a !== b;
  let start = 0;
  while (start < from.length && from[start] === to[start]) start += 1;
  const restFrom = from.slice(start);
  const restTo = to.slice(start);
  return (
    restFrom.slice(1) === restTo ||
    restFrom === restTo.slice(1) ||
    restFrom.slice(1) === restTo.slice(1) ||
    (restFrom[0] === restTo[1] && restFrom[1] === restTo[0] && restFrom.slice(2) === restTo.slice(2))
  );
}
