import { expect, test } from 'vitest'
import { isNode, type Node, type Operation, operationsOf, resolve } from '../build/contract.ts'
import { decorate } from '../build/decorate.ts'
import { contract, questions, whole } from './site.ts'

const decorated = decorate(contract, questions, new Map())

test('marks the aspect of a member that is our answer, and names question and basis', () => {
  const { description } = member('CodeCheck', 'qrcode_type')
  expect(description).toBe(
    '[our answer: values (assumed)](open-questions.html#code-kinds "assumed: Which values does qrcode_type take beyond Static?")',
  )
})

test('leaves a fact as it is', () => {
  for (const name of ['revision', 'message', 'tx_id'])
    expect(member('CodeCheck', name)).toEqual(
      resolve(contract, `#/components/schemas/CodeCheck/properties/${name}`),
    )
})

test('keeps the words of what a reference leads to beside the marks of both', () => {
  const { description } = schema('PaymentDate')
  expect(description).toContain('our answer: form')
  expect(description).toContain('our answer: meaning')
  expect(member('CodeCheck', 'final_amount').description).toMatch(/^A decimal number .*our answer: meaning/s)
})

test('gives every member below an answer a badge, unless its own words say so, and none to the same member where it is a fact', () => {
  expect(membersWithoutBadge('Problem')).toEqual([])
  const data = member('TransferSettledEvent', 'data')
  expect(Object.values(data.properties as Node).every((below) => isNode(below) && below['x-badges'])).toBe(
    true,
  )
  expect(
    Object.values(schema('TransferData').properties as Node).some(
      (below) => isNode(below) && below['x-badges'],
    ),
  ).toBe(false)
})

test('says of each operation its effect and which statuses are our answer', () => {
  for (const { node } of operationsOf(decorated)) {
    expect(node.description).toContain(`**Effect: ${node['x-effect']}**, `)
    for (const status of Object.keys(node.responses).filter((code) => /^[45]/.test(code)))
      expect(node.description?.split('**Statuses that are our answer:**')[1], node.operationId).toContain(
        status,
      )
  }
})

test('names the operation whose path a short path shortens, and that the path is our answer', () => {
  const { node } = operationsOf(decorate(whole, questions, new Map())).find(
    ({ path }) => path === '/pix/key',
  ) as Operation // the contract's lint holds the list of its paths
  expect(node.description).toContain('A short path of [checkKey](reference.html#/keys/checkkey)')
  expect(node.description).toContain('(open-questions.html#guide-paths "')
})

test('names the security scheme as our answer wherever it is required', () => {
  expect(decorated.security).toEqual([{ 'bearer (our answer)': [] }])
  expect(Object.keys(decorated.components.securitySchemes ?? {}).sort()).toEqual([
    'basic',
    'bearer (our answer)',
  ])
})

test('leaves the contract it was given alone, and refuses a mark that the register does not have', () => {
  expect(JSON.stringify(contract)).not.toContain('our answer (')
  const { errors: _, ...incomplete } = questions
  expect(() => decorate(contract, incomplete, new Map())).toThrow('"errors"')
})

function schema(name: string): Node {
  return resolve(decorated, `#/components/schemas/${name}`)
}

function member(owner: string, name: string): Node {
  return resolve(decorated, `#/components/schemas/${owner}/properties/${name}`)
}

function membersWithoutBadge(name: string): string[] {
  const members = Object.entries(schema(name).properties as Node)
  return members.filter(([, below]) => !isNode(below) || !saysOurs(below)).map(([key]) => key)
}

/** In a badge, or in the words of what it refers to. */
function saysOurs(node: Node): boolean {
  const { description } = typeof node.$ref === 'string' ? resolve(decorated, node.$ref) : node
  return 'x-badges' in node || String(description).includes('[our answer')
}
