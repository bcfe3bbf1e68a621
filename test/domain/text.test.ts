import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { analyze, ANALYSIS_VERSION, MAX_TOKEN_LENGTH, parseQuery } from '../../src/domain/text.ts';

const tokens = (text: string) => analyze(text).map(({ token }) => token);

describe('analyze', () => {
  it.each<[string, string[]]>([
    ['Continue with Apple', ['continue', 'with', 'apple']],
    ['', []],
    [' \n\t.,;:!?()[]{}*^~"', []],
    ["Don’t, don't, dont", ['dont', 'dont', 'dont']],
    ["'quoted' users'", ['quoted', 'users']],
    ['Sign-in, sign‐in, sign—in', ['sign', 'in', 'sign', 'in', 'sign', 'in']],
    ['snake_case node.js A&B', ['snake', 'case', 'node', 'js', 'a', 'b']],
    ['ann@example.org https://example.org/a', ['ann', 'example', 'org', 'https', 'example', 'org', 'a']],
    ['$9.99 1,000 24/7 iOS17', ['9', '99', '1', '000', '24', '7', 'ios17']],
    ['C++ c# F#, a+ 500+ Disney+', ['c++', 'c#', 'f#', 'a', '500', 'disney']],
    ['Vitrine™ Vitrine® trial¹', ['vitrine', 'vitrine', 'trial']],
    ['Café CAFÉ cafe\u0301 ｃａｆé', ['cafe', 'cafe', 'cafe', 'cafe']],
    ['Straße Łódź Ærø İstanbul ΣΊΣΥΦΟΣ Ёлка', ['strasse', 'lodz', 'aero', 'istanbul', 'σισυφοσ', 'елка']],
    ['pass\u200Bword soft\u00ADhyphen \u202Erlo', ['password', 'softhyphen', 'rlo']],
    ['支付订单 iPhone手机', ['支', '付', '订', '单', 'iphone', '手', '机']],
    ['がか ｶﾞ カー', ['が', 'か', 'ガ', 'カ', 'ー']],
    ['한국어', ['한', '국', '어']],
    ['ที่นี่', ['ที่', 'นี่']],
    ['हिन्दी में', ['हिन्दी', 'में']],
    ['مُحَمَّد ١٢', ['مُحَمَّد', '١٢']],
    ['👍🏽 ❤️ 👨‍👩‍👧 🇫🇷🇩🇪 1️⃣', ['👍', '❤', '👨', '👩', '👧', '🇫🇷', '🇩🇪', '1']],
    ['\ud800 a\u0000b', ['a', 'b']],
  ])('%j', (text, expected) => {
    expect(tokens(text)).toEqual(expected);
  });

  it('gives English words their stem, and others themselves', () => {
    expect(analyze('Subscriptions renewing cafés настройки ios17 设')).toEqual([
      { token: 'subscriptions', stem: 'subscript' },
      { token: 'renewing', stem: 'renew' },
      { token: 'cafes', stem: 'cafe' },
      { token: 'настроики', stem: 'настроики' },
      { token: 'ios17', stem: 'ios17' },
      { token: '设', stem: '设' },
    ]);
  });

  it('cuts endless words, without breaking a character', () => {
    expect(tokens('x'.repeat(5000))).toEqual(['x'.repeat(MAX_TOKEN_LENGTH)]);
    expect(tokens('𐐨'.repeat(5000))).toEqual(['𐐨'.repeat(MAX_TOKEN_LENGTH)]);
  });

  it('says the same of its own answer', () => {
    const text = 'Don’t sign-in ﬁnance Straße 支付 ที่นี่ C++ 👍🏽 ½ ﷺ ǅ ŉ ĳ ⅷ Å ΐ';
    expect(tokens(tokens(text).join(' '))).toEqual(tokens(text));
  });

  it('is the one that its version names', () => {
    // Where this fails, analysis has changed: raise ANALYSIS_VERSION, so that indexes are rebuilt, and pin it here.
    const letters = Array.from({ length: 0x500 }, (_, code) => `a${String.fromCodePoint(code)}b`).join(' ');
    const others =
      "Relational conditions, agreed ponies' hopping; don’t 購物車 ｶﾞ 한국어 ที่นี่ हिन्दी 👨‍👩‍👧 1️⃣ C++ ﬁn ½";
    const digest = createHash('sha256')
      .update(JSON.stringify(analyze(`${letters} ${others}`)))
      .digest('hex');
    expect({ ANALYSIS_VERSION, digest: digest.slice(0, 16) }).toEqual({
      ANALYSIS_VERSION: 1,
      digest: '6a097f218d442cc2',
    });
  });
});

describe('parseQuery', () => {
  const word = (token: string, stem: string, maxTypos: 0 | 1 | 2, prefix = false) => ({
    kind: 'word',
    token,
    stem,
    maxTypos,
    prefix,
  });
  const phrase = (...words: string[]) => ({ kind: 'phrase', tokens: words });

  it('makes every word a term, the last one also a prefix', () => {
    expect(parseQuery('Free trials')).toEqual([word('free', 'free', 1), word('trials', 'trial', 1, true)]);
  });

  it('forgives typos by the length of the word as it stands, and none in numbers', () => {
    const allowed = parseQuery('pay cart payment password ios2024 подписка').map((term) =>
      term.kind === 'word' ? term.maxTypos : undefined,
    );
    expect(allowed).toEqual([0, 1, 1, 2, 0, 2]);
  });

  it('takes quoted words for a phrase, with straight or curly quotes', () => {
    expect(parseQuery('"sign in" now')).toEqual([phrase('sign', 'in'), word('now', 'now', 0, true)]);
    expect(parseQuery('“Sign in”')).toEqual([phrase('sign', 'in')]);
    expect(parseQuery('now "settings"')).toEqual([word('now', 'now', 0), phrase('settings')]);
    expect(parseQuery('"" "..." x')).toEqual([word('x', 'x', 0, true)]);
  });

  it('takes a lone quote, brackets and operators for punctuation and words', () => {
    expect(parseQuery('"sign in')).toEqual(parseQuery('sign in'));
    expect(parseQuery('(sign* ^in) -')).toEqual(parseQuery('sign in'));
    expect(parseQuery('a AND b')).toEqual([
      word('a', 'a', 0),
      word('and', 'and', 0),
      word('b', 'b', 0, true),
    ]);
  });

  it.each([
    ['sign-in', phrase('sign', 'in')],
    ['node.js', phrase('node', 'js')],
    ['ann@example.org', phrase('ann', 'example', 'org')],
    ['9.99', phrase('9', '99')],
    ['24/7', phrase('24', '7')],
    ['购物车', phrase('购', '物', '车')],
    ['iphone手机', phrase('iphone', '手', '机')],
  ])('takes %s, written in one piece, for a phrase', (q, expected) => {
    expect(parseQuery(q)).toEqual([expected]);
  });

  it('parts words at a slash, a comma or a colon that is not within a number', () => {
    expect(parseQuery('login/signup,error:404')).toEqual(parseQuery('login signup error 404'));
  });

  it('gives repeats once, and no terms for no words', () => {
    expect(parseQuery('trial Trial "a b" "A B"')).toEqual([word('trial', 'trial', 1), phrase('a', 'b')]);
    expect(parseQuery(' ??? ')).toEqual([]);
    expect(parseQuery('')).toEqual([]);
  });
});
