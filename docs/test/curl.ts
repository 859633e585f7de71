/**
 * Stands in for curl where a machine has none, with the options that the samples and guides use
 * and no others.
 * Exits with 22 for an error of HTTP, like the real one with --fail-with-body.
 */
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'fail-with-body': { type: 'boolean' },
    // It shows no progress, and always errors.
    silent: { type: 'boolean' },
    'show-error': { type: 'boolean' },
    request: { type: 'string' },
    user: { type: 'string' },
    header: { type: 'string', multiple: true, default: [] },
    data: { type: 'string' },
  },
})

const headers = new Headers(
  values.header.map((line): [string, string] => [line.split(': ')[0] ?? '', line.replace(/^.*?: /, '')]),
)
if (values.user) headers.set('authorization', `Basic ${btoa(values.user)}`)

const response = await fetch(positionals[0] ?? '', {
  method: values.request ?? (values.data ? 'POST' : 'GET'),
  headers,
  ...(values.data && { body: values.data }),
})
process.stdout.write(await response.text())
if (!response.ok && values['fail-with-body']) process.exitCode = 22
