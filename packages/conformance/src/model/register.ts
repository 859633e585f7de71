/** The open questions of the contract, by id. */
export type Register = Readonly<
  Record<string, { question: string; assumption: string; basis: 'standard' | 'assumed' | 'open' }>
>
