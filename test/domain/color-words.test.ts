import { describe, expect, test } from 'vitest';
import { colorAgreement, colorWordsOf } from '../../src/domain/color-words.ts';

const agreement = (question: string, ...colors: [hex: string, share: number][]) =>
  colorAgreement(
    colorWordsOf(question),
    colors.map(([hex, share]) => ({ hex, share })),
  );

describe('colours named in a question', () => {
  test.each([
    ['red', '#D32F2F'],
    ['orange', '#F57C00'],
    ['yellow', '#FBC02D'],
    ['lime', '#C6E94B'],
    ['green', '#388E3C'],
    ['teal', '#00897B'],
    ['cyan', '#4DD0E1'],
    ['blue', '#1976D2'],
    ['navy', '#1A237E'],
    ['purple', '#7B1FA2'],
    ['pink', '#EC407A'],
    ['brown', '#6D4C41'],
    ['beige', '#F5EBDC'],
    ['black', '#000000'],
    ['grey', '#808080'],
    ['white', '#FFFFFF'],
  ])('know %s where they see it', (name, hex) => {
    expect(agreement(`${name} page`, [hex, 1])).toBe(1);
    const other = name === 'green' ? '#D32F2F' : '#388E3C';
    expect(agreement(name === 'lime' ? 'red' : name, [other, 1])).toBe(0);
  });

  test('tell shades apart', () => {
    expect(agreement('dark green paywall', ['#0B3D20', 1])).toBe(1);
    expect(agreement('dark green paywall', ['#8FE3A0', 1])).toBe(0);
    expect(agreement('pastel pink', ['#FAD4DE', 1])).toBe(1);
  });

  test('count more, the more of the picture they cover, and a button already counts', () => {
    const [button, half] = [
      agreement('violet', ['#7B1FA2', 0.02], ['#FFFFFF', 0.98]),
      agreement('violet', ['#7B1FA2', 0.5]),
    ];
    expect(button).toBeGreaterThan(0.5);
    expect(half).toBeGreaterThan(button);
    expect(agreement('violet and white', ['#7B1FA2', 0.02], ['#FFFFFF', 0.98])).toBeGreaterThan(button);
  });

  test('are none in a question without them', () => {
    expect(colorWordsOf('where people change their password')).toEqual([]);
    expect(agreement('settings', ['#FFFFFF', 1])).toBe(0);
  });
});
