import type { Law } from '../law.ts'
import { expectRefusal } from '../run/refusal.ts'

/** What a due-date charge must not say, one rule each; `later` is a day after it is due. */
const wrong = (later: string) => [
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
  { words: 'the key of someone else', set: { '/dict_key': 'beltrana@example.com' } },
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
    const view = scene.contract.operation('createDueDateQrCode')
    if (!(await scene.accepted(view.id))) return scene.masked()
    await scene.each(wrong(scene.clock.day(40)), async ({ words, set }) => {
      const input = await scene.maker.inputOf(view, { who: 'partner' })
      if (!input) return scene.masked()
      const exchange = await scene.send(view, scene.maker.withMembers(input, set))
      const message = `Expected a charge with ${words} to be refused, and it was created.`
      expectRefusal(scene, exchange, message, { about: words })
    })
  },
}
