import { expect, test } from 'vitest'
import { isNode, type Node, type Operation, operationsOf, resolve } from '../build/contract.ts'
import { decorate } from '../build/decorate.ts'
import { behaviour, contract, questions, whole } from './site.ts'

const decorated = decorate(contract, { questions, behaviour, samples: new Map() })

test('marks the aspect of a property that is an assumption, and names question and basis', () => {
  const { description } = property('CodeCheck', 'qrcode_type')
  expect(description).toContain('The kind of the code.')
  expect(description).toContain(
    '[assumed: values](open-questions.html#code-kinds "assumed: Which values does qrcode_type have, besides Static?")',
  )
})

test('leaves a fact as it is', () => {
  expect(property('KeyCheck', 'dict_key')).toEqual(
    resolve(contract, '#/components/schemas/KeyCheck/properties/dict_key'),
  )
})

test('keeps the words of what a reference leads to beside the marks of both', () => {
  const { description } = schema('PaymentDate')
  expect(description).toMatch(/\[\w+: form/)
  expect(description).toMatch(/\[\w+: .*meaning/)
  expect(property('CodeCheck', 'final_amount').description).toMatch(
    /^The final amount\. .*A decimal number .*\[\w+: meaning/s,
  )
})

test('gives every property below an assumption a badge, unless its description says so, and none where it is a fact', () => {
  expect(propertiesWithoutBadge('Problem')).toEqual([])
  const data = property('TransferSettledEvent', 'data')
  expect(Object.values(data.properties as Node).every((below) => isNode(below) && below['x-badges'])).toBe(
    true,
  )
  expect(
    Object.values(schema('TransferData').properties as Node).some(
      (below) => isNode(below) && below['x-badges'],
    ),
  ).toBe(false)
})

test('says of each operation its effect and which statuses are an assumption', () => {
  for (const { node } of operationsOf(decorated)) {
    expect(node.description).toContain(`**Effect: ${node['x-effect']}**, `)
    for (const status of Object.keys(node.responses).filter((code) => /^[45]/.test(code)))
      expect(node.description?.split('**Assumed statuses:**')[1], node.operationId).toContain(status)
  }
})

test('names the operation whose path a short path shortens, and that the path is assumed', () => {
  const { node } = operationsOf(decorate(whole, { questions, behaviour, samples: new Map() })).find(
    ({ path }) => path === '/pix/key',
  ) as Operation // the contract's lint holds the list of its paths
  expect(node.description).toContain('A short path of [checkKey](reference.html#/keys/checkkey)')
  expect(node.description).toContain('(open-questions.html#guide-paths "')
})

test('links each error code of an operation to the error catalogue', () => {
  const createTransfer = operationsOf(decorated).find(({ node }) => node.operationId === 'createTransfer')
  expect(createTransfer?.node.description).toContain(
    '[`insufficient_funds`](behaviour/errors.html#insufficient_funds)',
  )
  expect(createTransfer?.node.description).not.toContain('#tx_id_taken')
})

test('names the security scheme as an assumption wherever it is required', () => {
  expect(decorated.security).toEqual([{ 'bearer (assumed)': [] }])
  expect(Object.keys(decorated.components.securitySchemes ?? {}).sort()).toEqual([
    'basic',
    'bearer (assumed)',
  ])
})

test('leaves the contract it was given alone, and refuses a mark that the register does not have', () => {
  expect(JSON.stringify(contract)).not.toContain('[assumed')
  const { errors: _, ...incomplete } = questions
  expect(() => decorate(contract, { questions: incomplete, behaviour, samples: new Map() })).toThrow(
    '"errors"',
  )
})

function schema(name: string): Node {
  return resolve(decorated, `#/components/schemas/${name}`)
}

function property(owner: string, name: string): Node {
  return resolve(decorated, `#/components/schemas/${owner}/properties/${name}`)
}

function propertiesWithoutBadge(name: string): string[] {
  const properties = Object.entries(schema(name).properties as Node)
  return properties.filter(([, below]) => !isNode(below) || !isMarked(below)).map(([key]) => key)
}

/** In a badge, or in the words of what it refers to. */
function isMarked(node: Node): boolean {
  const { description } = typeof node.$ref === 'string' ? resolve(decorated, node.$ref) : node
  return 'x-badges' in node || String(description).includes('](open-questions.html#')
}
