import openapi from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { operations } from '../src/generated/operations.ts'
import { openInEditor } from './editor.ts'

interface Hovered {
  readonly operationId: string
  readonly summary: string
  readonly 'x-effect': string
  readonly 'x-open-question': Readonly<Record<string, string>>
  readonly 'x-assumed': Readonly<Record<string, string>>
  readonly responses: object
}

const contract = Object.values(openapi.paths)
  .flatMap((item) => Object.values(item))
  .filter((node): node is Hovered => 'operationId' in node)

const calls = new Map(
  Object.entries(operations).flatMap(([resource, rows]) =>
    Object.entries<string>(rows).map(([verb, row]) => [row.split(' ')[0], `payments.${resource}.${verb}`]),
  ),
)

const program = `import { createPayments } from '@partner-payments/client'
import type * as resources from '../src/generated/resources.ts'
const payments = createPayments({ baseUrl: 'http://127.0.0.1', auth: { token: () => 'token' } })
${[...calls.values()].map((call) => `;${call};\n`).join('')}
${openapi.tags.map(({ name }) => `;payments.${name};\n;null as unknown as ${interfaceOf(name)};\n`).join('')}`
const editor = openInEditor([program])

test('the editor knows the twenty operations', () => {
  expect(contract).toHaveLength(20)
  expect([...calls.keys()].sort()).toEqual(contract.map(({ operationId }) => operationId).sort())
  expect(editor.errorsOf(program)).toEqual([])
})

test.each(contract)(
  'hovering over $operationId shows its summary, effect, errors and assumptions',
  (operation) => {
    const { operationId, summary, 'x-effect': effect, 'x-open-question': questions, responses } = operation
    const assumed = Object.values(operation['x-assumed'])
    const errors = Object.keys(responses).filter((status) => status >= '400')
    const shown = editor.hover(program, `;${calls.get(operationId)}`)
    expect(shown).toContain(`${summary}: \`${operationId}\``)
    expect(shown).toContain(`Effect: ${effect}, `)
    expect(shown).toContain(`Errors: ${errors.join(', ')}. Assumption errors (`)
    for (const sentence of assumed) expect(shown).toContain(sentence)
    for (const id of Object.values(questions))
      expect(shown).toMatch(new RegExp(`Assumptions? .*\\b${id} \\(`))
  },
)

test('the editor knows the seven resources', () => {
  expect(openapi.tags.map(({ name }) => name).sort()).toEqual(Object.keys(operations).sort())
})

test.each(openapi.tags)('hovering over $name or its type shows its description', ({ name, description }) => {
  expect(editor.hover(program, `;payments.${name}`)).toBe(description)
  expect(editor.hover(program, interfaceOf(name))).toBe(description)
})

function interfaceOf(resource: string): string {
  return `resources.${resource.charAt(0).toUpperCase()}${resource.slice(1)}`
}
