import { readFileSync } from 'node:fs'
import { fieldsOf, marksOf } from '@partner-payments/contract'
import { expect, test } from 'vitest'
import { operations } from '../build/contract.ts'
import { operations as resources } from '../src/generated/operations.ts'
import { contract } from './contract.ts'

const called = operations.filter(({ aliasOf }) => aliasOf === undefined)
const text = readFileSync(new URL('../src/generated/resources.ts', import.meta.url), 'utf8')
const commented = [...text.matchAll(/\/\*\*\n((?: *\* ?.*\n)+?) *\*\/\n(.*)/g)]
const comments = commented.map(([, lines = '', declaration = '']) => ({
  declaration,
  comment: lines.replaceAll(/^ *\* ?|\n$/gm, ''),
}))

/** What an editor shows of the declarations that contain this text. */
function commentsOf(part: string): string[] {
  const found = comments.filter(({ declaration }) => declaration.includes(part))
  return found.map(({ comment }) => comment)
}

test('the resources have the operations of the contract', () => {
  const ids = Object.values(resources).flatMap((verbs) =>
    Object.values(verbs).map(({ operationId }) => operationId),
  )
  expect(ids.sort()).toEqual(called.map(({ id }) => id).sort())
  expect(Object.keys(resources).sort()).toEqual(contract.tags.map(({ name }) => name).sort())
})

test.each(called)(
  '$id is described with its effect, errors and assumptions',
  ({ id, summary, effect, responses, node }) => {
    const errors = responses.map(({ status }) => status).filter((status) => status >= '400')
    const [shown, ...others] = commentsOf(`ErrorCodes['${id}']`)
    expect(others).toEqual([])
    expect(shown).toContain(`${summary}: \`${id}\``)
    expect(shown).toContain(`Effect: ${effect}. `)
    expect(shown).toContain(`Errors: ${errors.join(', ')}. Assumption errors (`)
    for (const sentence of Object.values(fieldsOf(node['x-assumed']))) {
      expect(shown).toContain(sentence)
    }
    for (const { id: question } of marksOf(node)) {
      expect(shown).toMatch(new RegExp(`Assumptions? .*\\b${question} \\(`))
    }
  },
)

test.each(contract.tags)('$name and its type have its description', ({ name, description }) => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  expect(commentsOf(`${name}: ${type}`)).toEqual([description])
  expect(commentsOf(`interface ${type} {`)).toEqual([description])
})

test('no other export hides a type of the contract with the same name', () => {
  const index = readFileSync(new URL('../src/index.ts', import.meta.url), 'utf8')
  const lists = Array.from(
    index.matchAll(/^export (?:type )?\{([^}]*)\}/gm),
    ([, list = '']) => list,
  )
  const names = lists
    .flatMap((list) => list.split(','))
    .map((name) => name.replace('type ', '').trim())
  expect(names).toContain('createPayments')
  expect(names.filter((name) => name in (contract.components.schemas ?? {}))).toEqual([])
})
