import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/** A picture with blocks of colour that differ by `seed`, and nothing to read. */
export function picture(seed: number): Promise<Buffer> {
  const color = (step: number) => ({
    r: (seed * 47 + step * 60) % 256,
    g: (seed * 91 + step * 30) % 256,
    b: (step * 45) % 256,
  });
  const blocks = Array.from({ length: 6 }, (_, row) => ({
    input: {
      create: {
        width: 90 + ((seed + row * 17) % 80),
        height: 30 + ((seed * 3 + row) % 40),
        channels: 3 as const,
        background: color(row + 1),
      },
    },
    left: 20 + ((seed * 13 + row * 29) % 120),
    top: 30 + row * 95,
  }));
  return sharp({
    create: { width: 320, height: 640, channels: 3, background: { r: 240, g: 240, b: (seed * 7) % 256 } },
  })
    .composite(blocks)
    .png()
    .toBuffer();
}

/** Writes a folder that can be ingested: `count` screens of two apps and a flow over the first three. */
export async function writeFolder(folder: string, count: number, prefix = 'made'): Promise<string[]> {
  await mkdir(join(folder, 'images'), { recursive: true });
  const ids = Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  for (const [index, id] of ids.entries()) {
    await writeFile(join(folder, 'images', `${id}.png`), await picture(index + prefix.length * 1000));
  }
  const manifest = {
    apps: [
      { id: 'one', name: 'One' },
      { id: 'two', name: 'Two' },
    ],
    screens: ids.map((id, index) => ({
      file: `images/${id}.png`,
      id,
      appId: index % 2 === 0 ? 'one' : 'two',
      platform: 'ios',
      pattern: ['Empty State'],
      capturedAt: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
      captionText: `Caption of ${id}`,
    })),
    flows: [
      { id: `${prefix}-flow`, appId: 'one', type: 'onboarding', name: 'Flow', screenIds: ids.slice(0, 3) },
    ],
  };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return ids;
}
