import { describe, expect, it } from 'vitest'
import { inline, operationsOf } from '../build/contract.ts'
import { decorate } from '../build/decorate.ts'
import { operationPage } from '../build/operation-pages.ts'
import { behaviour, questions, whole } from './site.ts'

const PARTNERS_ONLY = 'Needs a token of the partner.'
const BOTH_KINDS = 'Takes a token of the partner or an impersonated one.'

const contract = inline(whole)
const reference = operationsOf(decorate(whole, { questions, behaviour }), behaviour)
const withToken = operationsOf(contract, behaviour).filter(({ scheme }) => scheme === 'bearer')

describe.each(withToken)('$id', (operation) => {
  const { id, responses } = operation
  const isPartnersOnly = responses.some(({ status }) => status === '403')
  const expected = isPartnersOnly ? [PARTNERS_ONLY] : [BOTH_KINDS]

  it('says on its page whose token it takes, as its 403 does, and says it once', () => {
    const page = operationPage(operation, contract, behaviour)
    expect(statementsIn(page)).toEqual(expected)
  })

  it('says the same in the reference', () => {
    const { node } = reference.find((candidate) => candidate.id === id) ?? {}
    expect(statementsIn(String(node?.description))).toEqual(expected)
  })
})

it('leaves to each operation whose token it takes', () => {
  expect(contract.components.securitySchemes?.bearer?.description).not.toMatch(/partner|imperson/)
})

/** What a text says about whose token an operation takes. */
function statementsIn(text: string): string[] {
  return (
    text.match(/(?:Needs|Takes) a token of [^.]*\.|token, of the partner or impersonated/g) ?? []
  )
}
