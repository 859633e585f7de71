import { describe } from 'vitest'
import { testRows } from './rows.ts'
import { changed, lookUp, pay, signIn, withContent } from './session.ts'

/** A body with two amounts. */
function repeatAmount(text: unknown): string {
  return String(text).replace('"amount":', '"amount":"99.00","amount":')
}

describe('an amount that a body has twice', () => {
  testRows([
    {
      title: 'is found in a response',
      entries: [signIn(), lookUp(), withContent(pay(), (text) => ({ text: repeatAmount(text) }))],
      finds: ['responses-json@createTransfer'],
    },
    {
      title: 'is found in a request',
      entries: [
        signIn(),
        lookUp(),
        changed(pay(), ({ request: { postData } }) => {
          if (postData) postData.text = repeatAmount(postData.text)
        }),
      ],
      finds: ['requests-valid@createTransfer'],
    },
  ])
})
