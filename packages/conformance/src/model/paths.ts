/** A path with its parameters unnamed: two paths of one shape mean the same (OpenAPI 3.1, "Paths Object"). */
export function shapeOf(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}')
}

/** Whether a concrete path may be one of a templated path, as /users/me is of /users/{id}. */
export function isOfTemplate(path: string, template: string): boolean {
  const [steps, wanted] = [path.split('/'), template.split('/')]
  return steps.length === wanted.length && wanted.every((it, i) => it.includes('{') || it === steps[i])
}
