import type { Input } from './exchange.ts'
import type { OperationView } from './operation-view.ts'

/** The path of a request with its query. */
export function requestPath({ path }: Pick<OperationView, 'path'>, input: Input): string {
  const filled = path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) =>
    encodeURIComponent(input.path?.[name] ?? ''),
  )
  const pairs = Object.entries(input.query ?? {}).flatMap(([name, value]) =>
    [value ?? []].flat().map((it): [string, string] => [name, it]),
  )
  const query = new URLSearchParams(pairs).toString()
  return query ? `${filled}?${query}` : filled
}

/** Whether a path matches a template, as /users/me matches /users/{id}. */
export function isOfTemplate(path: string, template: string): boolean {
  const [steps, wanted] = [path.split('/'), template.split('/')]
  return steps.length === wanted.length && wanted.every((it, i) => it.includes('{') || it === steps[i])
}
