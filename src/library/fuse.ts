import type { WordEvidence } from './weigh-words.ts';

/** Why a screen was found. */
export type Reason = 'text' | 'meaning' | 'colour' | 'layout';

export interface RankedScreen {
  id: string;
  /** 0–1, higher is better. */
  score: number;
  matched: Reason[];
}

/**
 * A hit below this score has chance for it and nothing else. The best hit must reach more, by up to UNKNOWN_COST, the
 * more of the question's words the library never says: then a distant likeness is all there is. Chosen on the tuning
 * part of the judged queries (bench/eval).
 */
export const MIN_SCORE = 0.2;
const UNKNOWN_COST = 0.2;

/**
 * How sure a screen that says every word is to be meant, whatever it is about; and how much less a screen is that says a
 * part of them: the share of the words to this power. Adding ranks reciprocally (RRF) measured far worse on paraphrases,
 * where most agreement of words is chance.
 */
const TEXT_WEIGHT = 0.5;
const PARTIAL_POWER = 1.5;
/** Among screens that say every word, the relevance of the text engine decides over this much of the weight. */
const RELEVANCE_SHARE = 0.2;

export interface FusionInput {
  /** Screens that say every word, best first. Absent when words were not searched for. */
  text?: readonly { id: string; score: number }[];
  /** What single words say; weighs together with meaning only. */
  words?: WordEvidence;
  /** Cosines. Absent when meaning was not searched for. */
  meaning?: readonly { screenId: string; score: number }[];
  /** Was there a question in words? */
  asked: boolean;
  /** Did a colour filter take part? */
  byColor: boolean;
}

/**
 * One ranking from hits by words and hits by meaning. The score of a hit is the chance that either is right if each were
 * right by itself: 1 − (1 − cosine) · (1 − TEXT_WEIGHT · agreement of words). So a hit by meaning alone has its cosine
 * for a score, in every mode. By words alone it is relevance / best relevance, and 1 where nothing was asked but a
 * filter. Order among equals: by id; as the text ranking has it where meaning took no part.
 */
export function fuse({ text = [], words, meaning, asked, byColor }: FusionInput): RankedScreen[] {
  const colour: Reason[] = byColor ? ['colour'] : [];
  if (!asked) return text.map(({ id }) => ({ id, score: 1, matched: colour }));

  const best = Math.max(0, ...text.map((hit) => hit.score));
  const relevance = new Map(text.map((hit) => [hit.id, best > 0 ? hit.score / best : 1]));
  if (meaning === undefined) {
    return [...relevance].map(([id, share]) => ({ id, score: toScore(share), matched: ['text', ...colour] }));
  }

  const cosine = new Map(meaning.map((hit) => [hit.screenId, Math.max(0, hit.score)]));
  const hits: RankedScreen[] = [];
  for (const id of new Set([...relevance.keys(), ...cosine.keys()])) {
    const near = cosine.get(id) ?? 0;
    const agreement = agreementOf(relevance.get(id), words?.said.get(id));
    hits.push({
      id,
      score: toScore(1 - (1 - near) * (1 - TEXT_WEIGHT * agreement)),
      matched: [
        ...(relevance.has(id) || near < MIN_SCORE ? (['text'] as const) : []),
        ...(near >= MIN_SCORE ? (['meaning'] as const) : []),
        ...colour,
      ],
    });
  }
  const top = hits.reduce((most, { score }) => Math.max(most, score), 0);
  const answered = top >= MIN_SCORE + UNKNOWN_COST * (1 - (words?.known ?? 1));
  return hits
    .filter(({ id, score }) => relevance.has(id) || (answered && score >= MIN_SCORE))
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** 0–1: by relevance among screens that say every word, else by how much of the question the screen says. */
function agreementOf(relevance: number | undefined, said = 0): number {
  if (relevance !== undefined) return 1 - RELEVANCE_SHARE * (1 - relevance);
  return (1 - RELEVANCE_SHARE) * said ** PARTIAL_POWER;
}

/** To three places, at most 1. */
export function toScore(score: number): number {
  return Math.round(Math.min(1, score) * 1000) / 1000;
}
