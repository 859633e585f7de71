// Calls the sandbox to make examples that succeed: the links of the contract say which response has the values that the
// next request needs.

/** Signs in with the credentials of the seed data. Rejects where no sandbox is behind the page. */
export async function openSandbox(contract, operations, behaviour) {
  const find = (id) => operations.find(({ node }) => node.operationId === id)
  const { access_token: token } = await send(find('signIn'), `Basic ${btoa('partner:secret')}`)
  const call = (operation, values) => send(operation, `Bearer ${token}`, values)

  /** Puts values that the sandbox knows into the examples of an operation. */
  async function prepare(operation) {
    for (const example of examplesOf(operation)) {
      const values = await valuesFor(operation, example.value)
      example.value = { ...example.value, ...values?.body, ...freshValues(operation, example.value) }
    }
    const values = parametersOf(operation).length > 0 ? await valuesFor(operation) : undefined
    for (const parameter of parametersOf(operation)) {
      const value = values?.parameters[parameter.name]
      if (value !== undefined) Object.assign(parameter, { example: value, examples: undefined })
    }
  }

  /** The values that some link leads to, of reads first, since they change nothing. */
  async function valuesFor(operation, body) {
    const links = operations.flatMap((source) => linksFrom(source, operation))
    const reads = (it) => (it.source.method === 'get' ? 0 : 1)
    for (const { source, link } of links.sort((a, b) => reads(a) - reads(b))) {
      for (const example of examplesOf(source).length > 0 ? examplesOf(source) : [{ value: undefined }]) {
        const given = await inputOf(source, example.value)
        const response = await call(source, given).catch(() => undefined)
        const values = response && valuesOf(link, given.body, response)
        if (values && fits(values.body, body)) return values
      }
    }
    return undefined
  }

  async function inputOf(source, body) {
    const needsPath = parametersOf(source).some((it) => it.in === 'path')
    const values = needsPath ? await valuesFor(source, body) : undefined
    return {
      parameters: values?.parameters ?? {},
      body: body && { ...body, ...values?.body, ...freshValues(source, body) },
    }
  }

  /** New values for the fields of a new record that no other record may have. */
  function freshValues({ node }, body) {
    const created = Object.values(behaviour.resources).find((it) => it.operations.create === node.operationId)
    const names = Object.keys(created?.unique ?? {}).map((pointer) => pointer.slice(1))
    const fresh = () => crypto.randomUUID().replaceAll('-', '').toUpperCase()
    return Object.fromEntries(
      names.filter((name) => name in body).map((name) => [name, fresh().slice(0, body[name].length)]),
    )
  }

  function parametersOf({ path, node }) {
    return [contract.paths[path].parameters ?? [], node.parameters ?? []].flat().map(resolve)
  }

  function examplesOf({ node }) {
    return Object.values(node.requestBody?.content['application/json']?.examples ?? {}).map(resolve)
  }

  function resolve(node) {
    if (!node.$ref) return node
    return node.$ref
      .slice(2)
      .split('/')
      .reduce((found, key) => found[key.replaceAll('~1', '/')], contract)
  }

  return { token, prepare, call, examplesOf, parametersOf }
}

/** Links of a source's success that lead to the operation, but not from page to page of one list. */
function linksFrom(source, operation) {
  const links = Object.values(source.node.responses).flatMap((it) => Object.values(it.links ?? {}))
  const leading = links.filter(
    (link) => link.operationId === operation.node.operationId && source !== operation,
  )
  return leading.map((link) => ({ source, link }))
}

/** The values of a link, undefined where the response lacks one. */
function valuesOf(link, request, response) {
  const read = (values = {}) =>
    Object.fromEntries(Object.entries(values).map(([name, it]) => [name, valueAt(it, request, response)]))
  const found = { parameters: read(link.parameters), body: read(link.requestBody) }
  const isWhole = [found.parameters, found.body].every((it) => !Object.values(it).includes(undefined))
  return isWhole ? found : undefined
}

function valueAt(expression, request, response) {
  const [, from, pointer] = /^\$(request|response)\.body#\/(.*)$/.exec(expression) ?? []
  if (!from) return expression
  return pointer.split('/').reduce((value, key) => value?.[key], from === 'request' ? request : response)
}

/** Whether values continue what an example pays: all but what is used once is the same. */
function fits(values, example) {
  if (!example) return true
  const same = Object.keys(values).filter((name) => name !== 'initiation_id' && name in example)
  return same.every((name) => String(values[name]) === String(example[name]))
}

async function send({ path, method }, authorization, { parameters = {}, body } = {}) {
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? ''))
  const response = await fetch(url, {
    method: method.toUpperCase(),
    headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${url} returned ${response.status}`)
  return response.status === 204 ? undefined : response.json()
}
