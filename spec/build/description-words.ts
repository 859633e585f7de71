/** The words before what the build adds to the description of a node, in their order. */
export const WORDS = {
  /** What a running service showed. */
  observed: 'Observed:',
  assumed: 'Assumed:',
  /** The refusals of an operation. */
  refused: 'Refused (assumed):',
} as const

interface DescriptionParts {
  /** What the source document states. */
  readonly stated: string
  readonly observed: string
}

/** Splits a description of the bundled contract, as the build put it together. */
export function splitDescription(description: string): DescriptionParts {
  const [beforeRefused = ''] = description.split(WORDS.refused)
  const [beforeAssumed = ''] = beforeRefused.split(WORDS.assumed)
  const [stated = '', observed = ''] = beforeAssumed.split(WORDS.observed)
  return { stated: stated.trim(), observed }
}
