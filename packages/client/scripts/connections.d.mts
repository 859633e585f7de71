type Counts = Readonly<Record<string, number>>

export function useConnections(
  client: typeof import('../src/index.ts'),
  origin: string,
  tries: number,
): Promise<Readonly<Record<'plain' | 'ending' | 'stray', Counts>>>
