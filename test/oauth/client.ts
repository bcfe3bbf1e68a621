import { createHash, randomBytes } from 'node:crypto';
import { PASSWORD, startPages, type PagesService } from '../pages/start.ts';
import { createVisitor, csrfOf, type Visitor } from '../pages/visitor.ts';
import type { TestServiceOptions } from '../support/service.ts';

/** Nothing listens there: what the browser is sent to is read from the answer. */
export const REDIRECT_URI = 'http://127.0.0.1:49152/callback';
export const EMAIL = 'mira@example.com';

export interface Answer {
  status: number;
  headers: Headers;
  /** Empty when the answer is no JSON object. */
  body: Record<string, unknown>;
}

export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** A code and what is needed to redeem it. */
export interface Code {
  code: string;
  form: Record<string, string>;
}

/** The service with a user who is signed in, and a client that speaks plain HTTP, wrongly too where a test wants it. */
export interface OAuthService extends PagesService {
  visitor: Visitor;
  userId: string;
  register(metadata: unknown): Promise<Answer>;
  /** A client of REDIRECT_URI. */
  newClient(redirectUris?: string[]): Promise<string>;
  /** Parameters of an authorization request that is right, with its verifier. */
  request(
    clientId: string,
    changes?: Record<string, string>,
  ): { parameters: Record<string, string>; verifier: string };
  /** GET /oauth/authorize, by whoever is signed in. */
  authorize(parameters: Record<string, string> | URLSearchParams): Promise<Response>;
  /** The same, and follows until a page is shown or the browser leaves. */
  open(parameters: Record<string, string>): Promise<{ at: URL; answer: Response }>;
  /** Goes through consent; returns where the browser ends. */
  consent(parameters: Record<string, string>, action?: 'confirm' | 'abort'): Promise<URL>;
  code(clientId: string, changes?: Record<string, string>): Promise<Code>;
  postToken(
    form: Record<string, string> | URLSearchParams,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  connect(clientId: string, changes?: Record<string, string>): Promise<Tokens>;
  refresh(clientId: string, refreshToken: string, changes?: Record<string, string>): Promise<Answer>;
  revoke(body: unknown): Promise<Answer>;
  /** Status of `tools/list` at the MCP endpoint. */
  callMcp(accessToken: string): Promise<number>;
}

export async function startOAuth(
  settings: Record<string, string> = {},
  more: Pick<TestServiceOptions, 'fetchDocument'> = {},
): Promise<OAuthService> {
  const service = await startPages(settings, more);
  const { url, resources } = service;
  const user = await service.addUser(EMAIL);
  const visitor = createVisitor(url);
  await visitor.signIn(EMAIL, PASSWORD);

  const post = async (path: string, init: RequestInit): Promise<Answer> =>
    answerOf(await fetch(`${url}${path}`, { method: 'POST', redirect: 'manual', ...init }));
  const json = (body: unknown) => ({
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

  const register: OAuthService['register'] = (metadata) => post('/oauth/register', json(metadata));

  const request: OAuthService['request'] = (clientId, changes = {}) => {
    const verifier = randomBytes(32).toString('base64url');
    const parameters = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: REDIRECT_URI,
      state: randomBytes(8).toString('hex'),
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
      resource: resources.mcp.id,
      ...changes,
    };
    return { parameters, verifier };
  };

  const authorize: OAuthService['authorize'] = (parameters) =>
    visitor.get(`/oauth/authorize?${new URLSearchParams(parameters).toString()}`);

  async function follow(answer: Response): Promise<{ at: URL; answer: Response }> {
    let at = new URL(url);
    let last = answer;
    for (
      let location = last.headers.get('location');
      location !== null;
      location = last.headers.get('location')
    ) {
      at = new URL(location, url);
      if (at.origin !== url) break;
      last = await visitor.get(at.href);
    }
    return { at, answer: last };
  }

  const open: OAuthService['open'] = async (parameters) => follow(await authorize(parameters));

  const consent: OAuthService['consent'] = async (parameters, action = 'confirm') => {
    const asked = await open(parameters);
    if (asked.at.origin !== url) return asked.at;
    const csrf = csrfOf(await asked.answer.text());
    if (csrf === '') throw new Error(`No form at ${asked.at.href}: ${asked.answer.status}`);
    return (await follow(await visitor.post(`${asked.at.pathname}/${action}`, { csrf }))).at;
  };

  const code: OAuthService['code'] = async (clientId, changes = {}) => {
    const { parameters, verifier } = request(clientId, changes);
    const back = await consent(parameters);
    const value = back.searchParams.get('code');
    if (value === null) throw new Error(`No code: ${back.href}`);
    const { client_id = '', redirect_uri = '', resource = '' } = parameters;
    return {
      code: value,
      form: {
        grant_type: 'authorization_code',
        client_id,
        code: value,
        redirect_uri,
        code_verifier: verifier,
        resource,
      },
    };
  };

  const postToken: OAuthService['postToken'] = (form, headers = {}) =>
    post('/oauth/token', { body: new URLSearchParams(form), headers });

  return {
    ...service,
    visitor,
    userId: user.id,
    register,
    async newClient(redirectUris = [REDIRECT_URI]) {
      const { status, body } = await register({ client_name: 'Drawing Board', redirect_uris: redirectUris });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return String(body['client_id']);
    },
    request,
    authorize,
    open,
    consent,
    code,
    postToken,
    async connect(clientId, changes) {
      const { form } = await code(clientId, changes);
      return tokensOf(await postToken(form));
    },
    refresh: (clientId, refreshToken, changes = {}) =>
      postToken({
        grant_type: 'refresh_token',
        client_id: clientId,
        refresh_token: refreshToken,
        resource: resources.mcp.id,
        ...changes,
      }),
    revoke: (body) => post('/oauth/revoke', json(body)),
    async callMcp(accessToken) {
      const { status } = await fetch(resources.mcp.id, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${accessToken}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      });
      return status;
    },
  };
}

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

export function tokensOf({ status, body }: Answer): Tokens {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return { accessToken: String(body['access_token']), refreshToken: String(body['refresh_token']) };
}

/** Claims and header of a JWT, unchecked. */
export function decode(token: string): { header: Record<string, unknown>; claims: Record<string, unknown> } {
  const [header = '', claims = ''] = token.split('.');
  const parse = (part: string) =>
    JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  return { header: parse(header), claims: parse(claims) };
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {} };
}
