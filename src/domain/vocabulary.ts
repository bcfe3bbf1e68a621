/** Platforms a screen can belong to, spelled as the API answers them. */
export const PLATFORMS = ['IOS', 'ANDROID', 'WEB'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** Accepts any letter case (`ios`, `Web`). Undefined when it is none of the platforms. */
export function parsePlatform(value: string): Platform | undefined {
  const upper = value.trim().toUpperCase();
  return PLATFORMS.find((platform) => platform === upper);
}

/** Subscription plans, lowest first. */
export const PLANS = ['free', 'pro', 'team', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

/** Undefined when it is none of the plans. Case and surrounding space do not matter. */
export function parsePlan(value: string): Plan | undefined {
  const lower = value.trim().toLowerCase();
  return PLANS.find((plan) => plan === lower);
}

/**
 * Patterns and flow types are open vocabularies: any words, spelled one way. `Empty State`, `empty_state` and
 * `emptyState` all become `empty-state`. Empty when nothing but punctuation was given.
 */
export function toKebabCase(value: string): string {
  return value
    .normalize('NFKC')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1-$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

/**
 * The one spelling of a moment: UTC, milliseconds, `2026-01-31T09:30:00.000Z`, so that order as text is order in
 * time. Accepts an ISO 8601 date (midnight UTC) or date-time with a zone. Undefined for anything else.
 */
export function parseTimestamp(value: string): string | undefined {
  const iso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;
  if (!iso.test(value)) return undefined;
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return undefined;
  // Date rolls 2026-02-30 over to March; a capture time that does not exist is a fault of the manifest.
  const day = Number(value.slice(8, 10));
  const lastDay = new Date(Date.UTC(Number(value.slice(0, 4)), Number(value.slice(5, 7)), 0)).getUTCDate();
  return day > lastDay ? undefined : date.toISOString();
}
