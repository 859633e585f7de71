/** A path without parameter names. Paths of one shape are the same (OpenAPI 3.1, "Paths Object"). */
export function shapeOf(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}')
}

/** Whether a path matches a template, as /users/me matches /users/{id}. */
export function isOfTemplate(path: string, template: string): boolean {
  const [steps, wanted] = [path.split('/'), template.split('/')]
  return steps.length === wanted.length && wanted.every((it, i) => it.includes('{') || it === steps[i])
}
