import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FetchDocument } from '../../src/oauth/fetch-document.ts';
import { authorization } from '../browser/client.ts';
import { FIELD_CLIENTS, type FieldClient } from './field-clients.ts';
import { callMcp, register } from './requests.ts';
import { startClientsService, type ClientsService } from './user.ts';

/** Their hosts, as far as metadata documents go. */
const fetchDocument: FetchDocument = (url) => {
  const client = FIELD_CLIENTS.find(({ document }) => document === url.href);
  return Promise.resolve({ body: { client_id: url.href, ...client?.metadata } });
};

const needApproval = FIELD_CLIENTS.filter(({ toApprove }) => toApprove.length > 0);
const APPROVALS = [...new Set(needApproval.flatMap(({ toApprove }) => toApprove))];

describe('nothing approved', () => {
  let service: ClientsService;
  beforeAll(async () => {
    service = await startClientsService({ fetchDocument });
  });
  afterAll(() => service.close());

  it.each(needApproval.filter(({ document }) => document === undefined))(
    '$name is told which addresses an operator has to approve, and how',
    async ({ metadata, toApprove }) => {
      const { status, body } = await register(service.url, metadata);
      expect([status, body.error]).toEqual([400, 'invalid_redirect_uri']);
      for (const uri of toApprove) {
        expect(body.error_description).toContain(`${uri} is not approved here`);
        expect(body.error_description).toContain(`npm run clients -- approve '${uri}'`);
      }
    },
  );

  it.each(needApproval.filter(({ document }) => document !== undefined))(
    '$name: its user reads which address an operator has to approve, and how',
    async ({ document = '', redirects: [redirectUri = ''] }) => {
      const { url } = authorization(service.url, { clientId: document, redirectUri });
      const answer = await fetch(url, { redirect: 'manual' });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('location')).toBeNull();
      const page = await answer.text();
      expect(page).toContain(`${redirectUri} is not approved here`);
      expect(page).toContain('npm run clients -- approve');
    },
  );
});

describe('approved by the operator, where that is needed', () => {
  let service: ClientsService;
  beforeAll(async () => {
    const settings = { APPROVED_REDIRECT_URIS: APPROVALS.join(',') };
    service = await startClientsService({ settings, fetchDocument });
  });
  afterAll(() => service.close());

  async function identify({ document, metadata }: FieldClient): Promise<string> {
    if (document !== undefined) return document;
    const { status, body } = await register(service.url, metadata);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      client_name: metadata['client_name'],
      redirect_uris: metadata.redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    });
    // Clients that find a secret use it, and are refused.
    expect(body).not.toHaveProperty('client_secret');
    return body.client_id ?? '';
  }

  const journeys = FIELD_CLIENTS.flatMap((client) =>
    client.redirects.map((redirectUri) => ({ ...client, redirectUri })),
  );

  it.each(journeys)('$name gets in by $redirectUri', async (client) => {
    const request = authorization(service.url, {
      clientId: await identify(client),
      redirectUri: client.redirectUri,
    });
    const answer = await service.approve(request.url);
    expect(answer.href.split('?')[0]).toBe(client.redirectUri);
    expect(answer.searchParams.get('state')).toBe(request.state);
    const { status, body } = await request.redeem(answer.searchParams.get('code') ?? '');
    expect(status).toBe(200);
    expect((await callMcp(service.url, String(body['access_token']))).status).toBe(200);
  });

  it('tells a native client that swaps the loopback names which one is registered', async () => {
    const codex = FIELD_CLIENTS.find(({ name }) => name === 'Codex CLI');
    const registered = codex?.redirects[0] ?? '';
    const { body } = await register(service.url, { redirect_uris: [registered] });
    const redirectUri = registered.replace('127.0.0.1', 'localhost');
    const { url } = authorization(service.url, { clientId: body.client_id ?? '', redirectUri });
    const answer = await fetch(url, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    const page = await answer.text();
    expect(page).toContain(`${redirectUri} is none of the client&#39;s: ${registered}`);
  });
});
