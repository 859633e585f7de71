import { expect, test } from 'vitest'
import { operations as resources } from '../src/generated/operations.ts'
import { contract, operations } from './contract.ts'
import { openInEditor } from './editor.ts'
import { programs, readPage } from './programs.ts'

const called = operations.filter((it) => 'x-effect' in it && !('x-alias-of' in it))

const calls = new Map(
  Object.entries(resources).flatMap(([resource, rows]) =>
    Object.entries<string>(rows).map(([verb, row]) => [row.split(' ')[0], `payments.${resource}.${verb}`]),
  ),
)

const hovered = `import { createPayments } from '@partner-payments/client'
import type * as resources from '../src/generated/resources.ts'
const payments = createPayments({ baseUrl: 'http://127.0.0.1', auth: { token: () => 'token' } })
${[...calls.values()].map((call) => `;${call};\n`).join('')}
${contract.tags.map(({ name }) => `;payments.${name};\n;null as unknown as ${interfaceOf(name)};\n`).join('')}`
const wrong = programs.get('../README.md')?.[0]?.replace('keys.check', 'keys.look') ?? ''
// One service for all of them: it reads the libraries of the language and of the contract once.
const editor = openInEditor([hovered, wrong, ...[...programs.values()].flat()])

test('the editor knows the twenty operations', () => {
  expect(called).toHaveLength(20)
  expect([...calls.keys()].sort()).toEqual(called.map(({ operationId }) => operationId).sort())
  expect(editor.errorsOf(hovered)).toEqual([])
})

test.each(called)(
  'hovering over $operationId shows its summary, effect, errors and assumptions',
  (operation) => {
    const { operationId, summary, 'x-effect': effect, responses } = operation
    const assumed = Object.values(operation['x-assumed'] as object)
    const questions = Object.values(operation['x-open-question'] as object)
    const errors = Object.keys(responses).filter((status) => status >= '400')
    const shown = editor.hover(hovered, `;${calls.get(operationId)}`)
    expect(shown).toContain(`${summary}: \`${operationId}\``)
    expect(shown).toContain(`Effect: ${effect}. `)
    expect(shown).toContain(`Errors: ${errors.join(', ')}. Assumption errors (`)
    for (const sentence of assumed) expect(shown).toContain(sentence)
    for (const id of questions) expect(shown).toMatch(new RegExp(`Assumptions? .*\\b${id} \\(`))
  },
)

test('the editor knows the seven resources', () => {
  expect(contract.tags.map(({ name }) => name).sort()).toEqual(Object.keys(resources).sort())
})

test.each(contract.tags)('hovering over $name or its type shows its description', ({ name, description }) => {
  expect(editor.hover(hovered, `;payments.${name}`)).toBe(description)
  expect(editor.hover(hovered, interfaceOf(name))).toBe(description)
})

test.each([...programs])('the programs of %s compile', (_page, all) => {
  expect(all.flatMap((program) => editor.errorsOf(program))).toEqual([])
})

test('an invalid program does not compile', () => {
  expect(editor.errorsOf(wrong)).toEqual(["Property 'look' does not exist on type 'Keys'."])
})

test('every link of the README is absolute, so that it works on npm', () => {
  const links = [...readPage('../README.md').matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThan(0)
  expect(links.filter((link) => !/^(https:\/\/|#)/.test(link))).toEqual([])
})

function interfaceOf(resource: string): string {
  return `resources.${resource.charAt(0).toUpperCase()}${resource.slice(1)}`
}
