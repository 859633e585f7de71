/** The register, as the contract carries it along. */
export type Register = Readonly<
  Record<string, { question: string; assumption: string; basis: 'standard' | 'assumed' | 'open' }>
>
