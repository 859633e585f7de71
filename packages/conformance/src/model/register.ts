/** The register, as the contract carries it along. */
export type Register = Readonly<
  Record<string, { question: string; answer: string; basis: 'standard' | 'assumed' | 'open' }>
>
