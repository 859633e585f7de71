import { measure } from '../variations/run.ts'
import { type Variation, variations } from '../variations/variations.ts'
import {
  type Comparison,
  compareCorrect,
  type Entry,
  recordCorrect,
  recordMutant,
  verifyMutant,
} from './gate.ts'
import { isNamed, mutants, tolerated } from './mutants.ts'
import { runOn } from './run.ts'

/** A service that the checker is tried on. */
export interface Subject {
  readonly id: string
  record(): Promise<Recording>
  /** Compares with what was recorded. */
  verify(entry: Entry): Promise<Comparison>
}

interface Recording {
  readonly entry: Entry
  readonly outcome: 'named' | 'elsewhere' | 'survived' | 'correct' | 'failure'
  /** Findings in full, where a person wants to read them. */
  readonly texts?: readonly string[]
}

const UNMODIFIED: Variation = { id: 'unmodified', says: 'The sandbox itself.', touches: [], service: {} }

/** All mutants, then all correct services. */
export const subjects: readonly Subject[] = [
  ...mutants.map((mutant) => ({
    id: mutant.id,
    async record() {
      const entry = await recordMutant(mutant, runOn(mutant))
      const elsewhere = entry.named.length > 0 ? 'elsewhere' : 'survived'
      return { entry, outcome: isNamed(mutant, entry.named) ? 'named' : elsewhere } as const
    },
    verify: (entry: Entry) => verifyMutant(mutant, entry, runOn(mutant)),
  })),
  ...tolerated.map((variant) => correct(variant.id, () => recordCorrect(variant.id, runOn(variant)))),
  ...[UNMODIFIED, ...variations].map((variation) => {
    const id = `variations/${variation.id}`
    return correct(id, async () => ({ id, by: 'everything', ...(await measure(variation)) }))
  }),
]

function correct(
  id: string,
  measured: () => Promise<Entry & { readonly texts?: readonly string[] }>,
): Subject {
  return {
    id,
    async record() {
      const { texts = [], ...entry } = await measured()
      const outcome = entry.named.some((it) => it.startsWith('failure ')) ? 'failure' : 'correct'
      return { entry, outcome, texts }
    },
    async verify(entry) {
      const { named, texts = [] } = await measured()
      const compared = compareCorrect(named, entry)
      return { ...compared, texts: [...compared.texts, ...texts] }
    },
  }
}
