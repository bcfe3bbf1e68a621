import type { Kysely } from 'kysely';
import type { NearDuplicate } from '../../ports/catalogue.ts';
import type { ImageFormat } from '../../domain/screen.ts';
import type { SigningAlgorithm } from '../../ports/accounts.ts';
import type { OAuthRecordKind } from '../../ports/oauth-store.ts';
import type { Plan, Platform } from '../../domain/vocabulary.ts';

/**
 * Rows as they are stored, on SQLite and Postgres alike. Lists and objects are JSON text; moments are ISO 8601 text
 * in UTC, whose order is order in time.
 */
export interface Tables {
  apps: { id: string; name: string };
  screens: ScreenRow;
  flows: {
    id: string;
    app_id: string;
    type: string;
    name: string;
    description: string | null;
    captured_at: string;
  };
  flow_screens: { flow_id: string; position: number; screen_id: string };
  near_duplicates: { screen_id: string; other_id: string; kind: NearDuplicate['kind'] };
  /** One row: rises with every committed write. */
  library_revision: { id: number; value: number };
  /** Screens whose index entry is older than their record. */
  pending_index: {
    target: string;
    screen_id: string;
    version: number;
    /** A process works on it until then, unless it is done or given back before. */
    taken_until: string | null;
  };
  ingest_journal: { sha256: string; step: string; result: string };
  users: {
    id: string;
    email: string | null;
    /** Lower case, unique. */
    email_key: string | null;
    plan: Plan;
    password_hash: string | null;
    created_at: string;
  };
  /** Users who sign in elsewhere. */
  identities: { issuer: string; subject: string; user_id: string };
  grants: {
    id: string;
    user_id: string;
    client_id: string;
    resource: string;
    scope: string;
    created_at: string;
    last_used_at: string | null;
    /** Null for grants of the command line. */
    expires_at: string | null;
  };
  oauth_records: {
    kind: OAuthRecordKind;
    id_hash: string;
    payload: string;
    grant_id: string | null;
    uid: string | null;
    expires_at: string;
    consumed_at: string | null;
  };
  oauth_clients: { id: string; metadata: string; created_at: string; last_used_at: string | null };
  approved_redirect_uris: { uri: string };
  sign_in_sessions: { id_hash: string; user_id: string; created_at: string; expires_at: string };
  signing_keys: {
    kid: string;
    alg: SigningAlgorithm;
    jwk: string;
    created_at: string;
    active_from: string;
    retired_at: string | null;
  };
  /** Random values that every process of the installation shares, in base64url. */
  secrets: { name: string; value: string };
}

export interface ScreenRow {
  id: string;
  app_id: string;
  platform: Platform;
  pattern: string;
  sha256: string;
  format: ImageFormat;
  bytes: number;
  original_key: string;
  image_key: string;
  thumb_key: string;
  width: number;
  height: number;
  colors: string;
  caption: string | null;
  ocr_text: string | null;
  phash: string | null;
  embedding_id: string | null;
  layout: Uint8Array | null;
  captured_at: string;
  version: number;
}

export type Database = Kysely<Tables>;
