import { expect, test } from 'vitest'
import { eventsOf, isNode, type Node, type Operation, operationsOf } from '../build/contract.ts'
import { decorate } from '../build/decorate.ts'
import { usesOf } from '../build/questions-page.ts'
import { behaviour, contract, questions, whole } from './site.ts'

const decorated = decorate(contract, { questions, behaviour })

test('marks the aspect of a property that is an assumption, and names question and basis', () => {
  const { description } = property(response('checkCode'), 'qrcode_type')
  expect(description).toContain('The kind of the code.')
  expect(description).toContain(
    '<a class="assumed" href="open-questions.html#code-kinds"><b>Our assumption (values):</b> Which values does qrcode_type have, besides Static?</a>',
  )
})

test('links every question of an operation or event where Redoc shows it', () => {
  const uses = usesOf(whole)
  const all = decorate(whole, { questions, behaviour })
  for (const { node, item } of [...operationsOf(all), ...eventsOf(all)]) {
    const shown = JSON.stringify([node, item.parameters, all.components.securitySchemes])
    // Redoc shows no links, so neither their marks.
    const expected = [...uses].filter(([, own]) =>
      own.some((use) => !use.isLink && use.operation?.node.operationId === node.operationId),
    )
    const hidden = expected.map(([id]) => id).filter((id) => !shown.includes(`open-questions.html#${id}\\"`))
    expect(hidden, node.operationId).toEqual([])
  }
})

test('leaves a fact without a mark', () => {
  expect(JSON.stringify(property(response('checkKey'), 'dict_key'))).not.toContain('open-questions.html')
})

test('keeps the words of what a reference leads to beside the marks of both', () => {
  const { description } = property(response('checkCode'), 'final_amount')
  expect(description).toMatch(/^A decimal number .*\(meaning\)/s)
})

test('marks every property below an assumption', () => {
  const problem = response('createTransfer', '422')
  const data = property(bodyOf(decorated.webhooks['transfer.settled']?.post as Node), 'data')
  for (const schema of [problem, data])
    expect(Object.values(schema.properties as Node).filter((it) => !isMarked(it as Node))).toEqual([])
})

test('says of each operation its effect, and of each error response its codes', () => {
  for (const { node } of operationsOf(decorated)) {
    expect(node.description, node.operationId).toMatch(/\*\*Effect: \w+\.\*\* [^<\n]*<span class="mark/)
    expect(node.description).toContain(`**Effect: ${node['x-effect']}.** `)
    for (const [status, { description }] of Object.entries(node.responses))
      if (status >= '400') expect(description, node.operationId).toMatch(/^- \[`\w+`\]\(behaviour\/errors/m)
    expect(node.description).not.toContain('Refused (assumed)')
  }
})

test('names the operation whose path a short path shortens, and that the path is assumed', () => {
  const { node } = operationsOf(decorate(whole, { questions, behaviour })).find(
    ({ path }) => path === '/pix/key',
  ) as Operation // the contract's lint holds the list of its paths
  expect(node.description).toContain('A short path of [`checkKey`](operations/checkKey.html)')
  expect(node.description).toContain('"open-questions.html#guide-paths"')
})

test('names the security scheme as an assumption wherever it is required', () => {
  expect(decorated.security).toEqual([{ 'bearer (assumed)': [] }])
  expect(Object.keys(decorated.components.securitySchemes ?? {}).sort()).toEqual([
    'basic',
    'bearer (assumed)',
  ])
})

test('names the mock and the sandbox of this machine as servers, since Redoc takes a variable for a path', () => {
  expect(decorated.servers.map(({ url }) => url)).toEqual(['http://127.0.0.1:4010', 'http://127.0.0.1:4020'])
})

test('leaves the contract it was given alone, and refuses a mark that the register does not have', () => {
  expect(JSON.stringify(contract)).not.toContain('open-questions.html')
  const { errors: _, ...incomplete } = questions
  expect(() => decorate(contract, { questions: incomplete, behaviour })).toThrow('"errors"')
})

function operation(id: string): Operation['node'] {
  const found = operationsOf(decorated).find(({ node }) => node.operationId === id)
  if (!found) throw new Error(`there is no operation ${id}`)
  return found.node
}

function response(id: string, status = '200'): Node {
  return schemaOf(operation(id).responses[status])
}

function bodyOf({ requestBody }: Node): Node {
  return schemaOf(requestBody as Node)
}

function schemaOf(body: Node | undefined): Node {
  const [media] = Object.values(body?.content as Record<string, { schema: Node }>)
  if (!media) throw new Error('there is no body')
  return media.schema
}

function property(schema: Node, name: string): Node {
  const found = [schema, schema.allOf]
    .flat()
    .flatMap((part) => (isNode(part) && isNode(part.properties) ? [part.properties[name]] : []))
  return found.find(isNode) as Node
}

function isMarked({ description }: Node): boolean {
  return String(description).includes('"open-questions.html#')
}
