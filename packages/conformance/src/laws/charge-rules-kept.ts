import type { Law } from '../law.ts'
import { expectRefusal } from '../run/refusal.ts'
import type { Scene } from '../run/scene.ts'

const DUE_DATE = 'createDueDateQrCode'

/** What a QR code must not say, one rule each; of a due-date charge where no operation is named. */
interface Wrong {
  readonly words: string
  readonly set: Readonly<Record<string, unknown>>
  readonly operation?: string
}

const FOREIGN: Wrong = { words: 'the key of someone else', set: { '/dict_key': 'beltrana@example.com' } }

/** `later` is a day after a charge is due. */
const wrong = (later: string): readonly Wrong[] => [
  { words: 'no original amount', set: { '/amount': {} } },
  { words: 'no due date', set: { '/calendar': {} } },
  { words: 'a due date that has passed', set: { '/calendar': { due_date: '2020-01-02' } } },
  { words: 'an amount of zero', set: { '/amount': { original: '0.00' } } },
  {
    words: 'a deduction above the amount',
    set: { '/amount': { original: '10.00', deduction: { amount: '20.00', modality: '1' } } },
  },
  {
    words: 'a discount of 100 percent',
    set: { '/amount': { original: '10.00', discount: { amount: '100.00', modality: '5' } } },
  },
  {
    words: 'a discount dated after the due date',
    set: {
      '/amount': {
        original: '10.00',
        discount: { modality: '1', fixedDateDiscount: [{ amount: '1.00', date: later }] },
      },
    },
  },
  FOREIGN,
]

/** The same of the other kinds. */
const WRONG_ELSEWHERE: readonly Wrong[] = [
  { ...FOREIGN, operation: 'createImmediateQrCode' },
  { ...FOREIGN, operation: 'createStaticQrCode' },
  { words: 'no original amount', set: { '/amount': {} }, operation: 'createImmediateQrCode' },
  { words: 'an amount of zero', set: { '/amount/original': '0.00' }, operation: 'createImmediateQrCode' },
  { words: 'an amount of zero', set: { '/amount': '0.00' }, operation: 'createStaticQrCode' },
]

export const chargeRulesKept: Law = {
  id: 'charge-rules-kept',
  phase: 'lifecycles',
  question: 'charge-rules',
  needs: ['createDueDateQrCode'],
  stateful: true,
  atStake: true,
  title: 'A charge whose amounts, dates and key do not go together is refused.',
  advice: 'Check the rules of the central bank before the charge is written.',
  run: async (scene) => {
    const all = [...wrong(scene.clock.day(40)), ...WRONG_ELSEWHERE]
    for (const [operation, rules] of Map.groupBy(all, ({ operation = DUE_DATE }) => operation)) {
      if (!scene.contract.has(operation) || !scene.may(scene.contract.operation(operation))) continue
      if (await scene.accepted(operation)) await tryRules(scene, operation, rules)
      else scene.masked()
    }
  },
}

async function tryRules(scene: Scene, operation: string, rules: readonly Wrong[]): Promise<void> {
  const view = scene.contract.operation(operation)
  await scene.each(rules, async ({ words, set }) => {
    const input = await scene.maker.inputOf(view, { who: 'partner' })
    if (!input) return scene.masked()
    const exchange = await scene.send(view, scene.maker.withMembers(input, set))
    const message = `Expected a charge with ${words} to be refused, and it was created.`
    expectRefusal(scene, exchange, message, { about: words })
  })
}
