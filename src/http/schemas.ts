import { z } from 'zod';
import type { Flow, Screen } from '../domain/screen.ts';
import { PLATFORMS } from '../domain/vocabulary.ts';
import type { SignedDownload } from '../library/sign-download.ts';

const timestamp = z.iso.datetime().meta({ example: '2026-01-31T09:30:00.000Z' });

export const screenSchema = z
  .object({
    id: z.string(),
    appId: z.string(),
    pattern: z.array(z.string()).meta({ description: 'UI patterns in kebab-case.', example: ['paywall'] }),
    platform: z.enum(PLATFORMS),
    imageUrl: z.url().meta({ description: 'WebP, long side at most 1600 px.' }),
    thumbUrl: z.url().meta({ description: 'WebP, long side at most 480 px.' }),
    width: z.int().positive().meta({ description: 'Of the original, in pixels.' }),
    height: z.int().positive().meta({ description: 'Of the original, in pixels.' }),
    dominantColors: z
      .array(z.string().regex(/^#[0-9A-F]{6}$/))
      .meta({ description: 'Largest area first.', example: ['#FFFFFF', '#1A73E8'] }),
    captionText: z.string().optional().meta({ description: 'The caption, or the text found on the screen.' }),
    pHash: z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .optional()
      .meta({ description: '64-bit perceptual hash.' }),
    embeddingId: z.uuid().optional(),
    capturedAt: timestamp,
  })
  .meta({ id: 'Screen', description: 'A rendered UI surface of one app.' });

const flowMembers = {
  id: z.string(),
  appId: z.string(),
  type: z.string().meta({ description: 'Kind of journey in kebab-case.', example: 'checkout' }),
  name: z.string().meta({ example: 'Upgrade to the paid plan' }),
  description: z.string().optional(),
  screenIds: z.array(z.string()).meta({ description: 'In order.' }),
  capturedAt: timestamp,
};

export const flowSchema = z
  .object(flowMembers)
  .meta({ id: 'Flow', description: 'An ordered journey through screens of one app.' });

export const flowWithScreensSchema = z
  .object({ ...flowMembers, screens: z.array(screenSchema).meta({ description: 'In order, in full.' }) })
  .meta({ id: 'FlowWithScreens', description: 'A flow with its screens.' });

/** One page of a list. */
export const pageSchema = <Item extends z.ZodType>(id: string, item: Item) =>
  z
    .object({
      data: z.array(item),
      nextCursor: z
        .string()
        .nullable()
        .meta({ description: 'Pass it as `cursor` for the next page. Null on the last one.' }),
      total: z.int().nonnegative().meta({ description: 'How many items match, on all pages together.' }),
    })
    .meta({ id });

export const downloadSchema = z
  .object({
    url: z.url().meta({ description: 'Serves the original file until `expiresAt`, without a token.' }),
    expiresAt: timestamp,
    expiresIn: z.int().positive().meta({ description: 'Seconds.', example: 300 }),
    filename: z.string(),
    contentType: z.enum(['image/jpeg', 'image/png', 'image/webp']),
    bytes: z.int().positive(),
  })
  .meta({ id: 'Download' });

export const problemSchema = z
  .object({
    type: z.url(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string().meta({ description: 'What programs should go by.', example: 'invalid_argument' }),
    errors: z
      .array(z.object({ parameter: z.string(), detail: z.string() }))
      .optional()
      .meta({ description: 'With `invalid_argument`: every fault.' }),
    plan: z.string().optional().meta({ description: 'With `plan_required`: the plan of the account.' }),
    requiredPlans: z
      .array(z.string())
      .optional()
      .meta({ description: 'With `plan_required`: the plans that would do.' }),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem details.' });

// The answers are made of the domain's types; a member that is there but not here, or the other way round, fails here.
type Same<A, B> = [A, B] extends [B, A] ? true : never;
true satisfies Same<keyof z.output<typeof screenSchema>, keyof Screen>;
true satisfies Same<keyof z.output<typeof flowWithScreensSchema>, keyof Flow>;
true satisfies Same<keyof z.output<typeof downloadSchema>, keyof SignedDownload>;
