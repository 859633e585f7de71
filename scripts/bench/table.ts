/** One figure of one subject: how fast, how big. */
export type Row = {
  figure: string
  subject: string
  value: number
  unit: string
  better: 'higher' | 'lower'
  ours?: true
}

/** What a package's `bench/*.bench.ts` exports as `bench`. */
export type Bench = { title: string; run: () => Promise<Row[]> }
