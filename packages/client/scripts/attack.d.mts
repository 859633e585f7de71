export function attackClient(
  client: typeof import('../src/index.ts'),
  step?: number,
): Promise<{ readonly sent: number; readonly wrong: readonly string[] }>
