import { describe, expect, it } from 'vitest';
import { readConfig, SETTING_NAMES, SettingsError } from '../src/config.ts';

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
  return [];
}

describe('settings', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toMatchObject({
      baseUrl: 'http://localhost:3000',
      mcpUrl: 'http://localhost:3000',
      storageUrl: 'http://localhost:3000/files',
      hosts: ['127.0.0.1', '::1'],
      downloadPlans: ['pro', 'team'],
      mcpPlans: ['pro', 'team', 'enterprise'],
      sample: true,
      rateLimit: 600,
    });
  });

  it('derives addresses from PORT and BASE_URL, and drops one trailing slash', () => {
    expect(readConfig({ PORT: '4000' }).baseUrl).toBe('http://localhost:4000');
    const config = readConfig({
      BASE_URL: 'https://v.example.com/',
      STORAGE_URL: 'https://cdn.example.com/v/',
    });
    expect(config).toMatchObject({
      baseUrl: 'https://v.example.com',
      mcpUrl: 'https://v.example.com',
      storageUrl: 'https://cdn.example.com/v',
    });
  });

  it('takes an empty value for an absent one', () => {
    expect(readConfig({ PORT: '', BASE_URL: '', DOWNLOAD_PLANS: '' })).toEqual(readConfig({}));
  });

  it('reads lists', () => {
    const config = readConfig({
      DOWNLOAD_PLANS: 'pro, Team,enterprise',
      ALLOWED_ORIGINS: 'https://a.example.com, https://b.example.com/',
    });
    expect(config.downloadPlans).toEqual(['pro', 'team', 'enterprise']);
    expect(config.allowedOrigins).toEqual(['https://a.example.com', 'https://b.example.com']);
  });

  it.each([
    ['BASE_URL', 'https://v.example.com/path'],
    ['BASE_URL', 'https://v.example.com/?q'],
    ['BASE_URL', 'ftp://v.example.com'],
    ['BASE_URL', 'nonsense'],
    ['MCP_URL', 'https://user:pass@v.example.com'],
    ['STORAGE_URL', 'https://cdn.example.com/#x'],
    ['DATABASE_URL', 'mysql://localhost/library'],
    ['DATABASE_URL', 'postgres://localhost'],
    ['ELASTICSEARCH_URL', 'localhost:9200'],
    ['ELASTICSEARCH_URL', 'https://elastic:a-password@search.example.com'],
    ['PORT', '70000'],
    ['PORT', '3e3'],
    ['RATE_LIMIT', '-1'],
    ['OCR_WORKERS', '0'],
    ['SAMPLE', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['MCP_PLANS', 'pro,gold'],
    ['ALLOWED_ORIGINS', 'https://a.example.com/path'],
  ])('refuses %s=%s in one line that names it', (name, value) => {
    const faults = faultsOf({ [name]: value });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name} .+\\.$`));
  });

  it('repeats no password in a fault', () => {
    expect(faultsOf({ DATABASE_URL: 'postgres//u:a-password@host/library' }).join()).not.toContain(
      'a-password',
    );
  });

  it('takes Elasticsearch with an index of its own, and no key for nothing', () => {
    const url = 'https://search.example.com:9200';
    expect(readConfig({}).elasticsearch).toBeUndefined();
    expect(readConfig({ ELASTICSEARCH_URL: url }).elasticsearch).toEqual({ url, index: 'vitrine-screens' });
    expect(
      readConfig({ ELASTICSEARCH_URL: url, ELASTICSEARCH_API_KEY: 'k', ELASTICSEARCH_INDEX: 'other' })
        .elasticsearch,
    ).toEqual({ url, apiKey: 'k', index: 'other' });
    expect(faultsOf({ ELASTICSEARCH_API_KEY: 'k' })).toEqual([
      'ELASTICSEARCH_API_KEY needs ELASTICSEARCH_URL as well.',
    ]);
    expect(faultsOf({ ELASTICSEARCH_URL: url, ELASTICSEARCH_INDEX: 'Vitrine*' })).toEqual([
      expect.stringMatching(/^ELASTICSEARCH_INDEX must be/),
    ]);
  });

  it('takes a bucket with where it is, and not half of it', () => {
    const endpoint = 'http://localhost:7070';
    expect(readConfig({ S3_BUCKET: 'library', S3_ENDPOINT: `${endpoint}/` }).s3).toEqual({
      bucket: 'library',
      endpoint,
    });
    expect(faultsOf({ S3_BUCKET: 'b', S3_ENDPOINT: 'localhost:7070' })).toHaveLength(1);
    expect(faultsOf({ S3_ENDPOINT: endpoint })).toEqual(['S3_ENDPOINT needs S3_BUCKET as well.']);
    expect(faultsOf({ S3_BUCKET: 'b', S3_PUBLIC_ENDPOINT: endpoint })).toEqual([
      'S3_PUBLIC_ENDPOINT needs S3_ENDPOINT as well.',
    ]);
  });

  it('takes another OpenID provider whole', () => {
    const provider = {
      OIDC_ISSUER: 'https://id.example.com/realm',
      OIDC_CLIENT_ID: 'v',
      OIDC_CLIENT_SECRET: 's',
    };
    expect(readConfig({}).oidc).toBeUndefined();
    expect(readConfig({ ...provider, OIDC_PLAN_CLAIM: 'plan' }).oidc).toEqual({
      issuer: 'https://id.example.com/realm',
      clientId: 'v',
      clientSecret: 's',
      planClaim: 'plan',
    });
    expect(faultsOf({ ...provider, OIDC_CLIENT_SECRET: '' })).toEqual([
      'OIDC_ISSUER, OIDC_CLIENT_ID needs OIDC_CLIENT_SECRET as well.',
    ]);
    expect(faultsOf({ OIDC_PLAN_CLAIM: 'plan' })).toEqual([
      'OIDC_PLAN_CLAIM needs OIDC_ISSUER and OIDC_CLIENT_ID and OIDC_CLIENT_SECRET as well.',
    ]);
    for (const issuer of ['http://id.example.com', 'https://id.example.com/?x', 'id.example.com']) {
      expect(faultsOf({ ...provider, OIDC_ISSUER: issuer })).toEqual([
        expect.stringMatching(/^OIDC_ISSUER must be an https URL/),
      ]);
    }
    expect(readConfig({ ...provider, OIDC_ISSUER: 'http://localhost:4000' }).oidc?.issuer).toBe(
      'http://localhost:4000',
    );
  });

  it('tells every fault at once', () => {
    expect(faultsOf({ PORT: 'x', SAMPLE: 'x', BASE_ULR: 'https://v.example.com' })).toHaveLength(3);
  });

  it.each(['BASE_ULR', 'BASE_UR', 'BASE_URLS', 'DATA_DIT', 'RATELIMIT', 'rate_limit', 'Port_'])(
    'says which setting %s is probably meant to be',
    (name) => {
      expect(faultsOf({ [name]: 'x' })[0]).toMatch(/is not a setting; [A-Z_]+ is probably meant\./);
    },
  );

  it('leaves the names of other programs alone', () => {
    expect(faultsOf({ PATH: '/bin', HOSTNAME: 'x', HOME: '/root', NODE_ENV: 'test', PORTS: '1' })).toEqual(
      [],
    );
    for (const name of SETTING_NAMES) expect(faultsOf({ [name]: '' })).toEqual([]);
  });
});
