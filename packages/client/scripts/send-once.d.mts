export const doors: readonly string[]

export function sendOnce(
  client: typeof import('../src/index.ts'),
  door: string,
  origin: string,
  scenarios: readonly string[],
): Promise<Record<string, string>>
