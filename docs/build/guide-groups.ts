import { parse } from 'yaml'

/** The names of the guides by their groups, both in the order of the sidebar: `{ Pay: ['paying-a-key', …], … }`. */
export type GuideGroups = Readonly<Record<string, readonly string[]>>

/** Reads docs/navigation.yaml. */
export function readGuideGroups(yaml: string): GuideGroups {
  return parse(yaml)
}

/** Sorts guides by their order in the sidebar. */
export function sortGuides<P extends { readonly path: string }>(
  guides: readonly P[],
  groups: GuideGroups,
): P[] {
  const paths = listPaths(groups)
  return guides.toSorted((one, other) => paths.indexOf(one.path) - paths.indexOf(other.path))
}

/**
 * Throws an Error that names a guide without a place in docs/navigation.yaml, or an entry of it
 * without a page.
 */
export function requireGuides(
  pages: readonly { readonly path: string; readonly section?: string }[],
  groups: GuideGroups,
): void {
  const guides = pages.filter(({ section }) => section === 'guides').map(({ path }) => path)
  const paths = listPaths(groups)
  const missing = guides.find((path) => !paths.includes(path))
  if (missing) throw new Error(`docs/navigation.yaml: expected ${missing} in one of the groups`)

  const unknown = paths.find((path) => !guides.includes(path))
  if (unknown) throw new Error(`docs/navigation.yaml: ${unknown} is no page, expected a guide`)
}

function listPaths(groups: GuideGroups): string[] {
  return Object.values(groups).flatMap((names) => names.map((name) => `guides/${name}.md`))
}
