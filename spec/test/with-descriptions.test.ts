import { expect, it } from 'vitest'
import { withDescriptions } from '../build/with-descriptions.ts'
import type { Node } from '../lint/marks.ts'
import type { Question } from '../lint/register.ts'
import { behaviour, contract, listOperations } from './contract.ts'

const schemas: Node = {
  Form: { type: 'string', description: 'A number.', 'x-assumed': { bounds: 'Two decimals.' } },
  Field: {
    $ref: '#/components/schemas/Form',
    description: 'The fee.',
    'x-assumed': { currency: 'In reais.' },
  },
  Bare: { $ref: '#/components/schemas/Form' },
  Guess: { type: 'string', 'x-assumed': { bounds: 'Short.' } },
  State: { type: 'string', enum: ['open'], 'x-enum-from': '/resources/door/states' },
}

const assumed: Question = {
  question: '?',
  source: { section: 'A' },
  assumption: 'So.',
  basis: 'assumed',
  settled: 'A look.',
}
const observed = {
  service: 'https://pix.example.com',
  date: '2026-11-29',
  evidence: 'run, 3 cases',
}

function described(name: string, states: Node = {}): Node {
  const whole = withDescriptions(
    { openapi: '3.1.0', paths: {}, components: { schemas } },
    { resources: { door: { states } } },
    { bounds: assumed, currency: { ...assumed, basis: 'observed', observed } },
  )
  return (whole.components as { schemas: Record<string, Node> }).schemas[name] ?? {}
}

it('puts facts before what was observed, and both before assumptions', () => {
  expect(described('Field').description).toBe(
    'The fee. A number. Observed: In reais. Assumed: Two decimals.',
  )
})

it('never lets an assumption look like a fact', () => {
  expect(described('Guess').description).toBe('Assumed: Short.')
})

it('does not change a reference without siblings', () => {
  expect(described('Bare')).toEqual({ $ref: '#/components/schemas/Form' })
})

it('takes the meaning of values from the behaviour files', () => {
  const { 'x-enumDescriptions': meanings } = described('State', { open: { meaning: 'Go in.' } })
  expect(meanings).toEqual({ open: 'Go in.' })
})

it('gives every error code of the contract the sentence of the error catalogue', () => {
  const { ProblemCode } = (contract.components as { schemas: Record<string, Node> }).schemas
  const refusals = Object.entries(behaviour.refusals as Record<string, Node>)
  const catalogue = Object.fromEntries(refusals.map(([code, { when }]) => [code, when]))
  expect(ProblemCode?.['x-enumDescriptions']).toEqual(catalogue)
})

it('lists the refusals of an operation, but not those of every operation', () => {
  const createTransfer = listOperations(contract).find(({ id }) => id === 'createTransfer')
  const { description } = createTransfer?.operation ?? {}
  expect(description).toContain('Refused (assumed):\n\n- `initiation_used` (409): ')
  expect(description).toContain('- `insufficient_funds` (422): The amount is more than the balance')
  expect(description).not.toContain('`malformed_body`')
})
