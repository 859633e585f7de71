/** docs/navigation.yaml: the names of guides by their groups, as `{ Pay: ['paying-a-key', …], … }`. */
type GuideGroups = Readonly<Record<string, readonly string[]>>

/**
 * Sorts guides by their order in the sidebar, and adds the group of each. Throws an Error that names a guide without a
 * place in docs/navigation.yaml, or an entry of it without a page or that it has twice.
 */
export function placeGuides<Guide extends { readonly path: string }>(
  guides: readonly Guide[],
  groups: GuideGroups,
): (Guide & { readonly group: string })[] {
  const places = Object.entries(groups).flatMap(([group, names]) =>
    names.map((name) => ({ group, path: `guides/${name}.md` })),
  )
  const paths = places.map(({ path }) => path)
  const missing = guides.find(({ path }) => !paths.includes(path))
  if (missing)
    throw new Error(`docs/navigation.yaml: expected ${missing.path} in one of the groups`)

  const repeated = paths.find((path, i) => paths.indexOf(path) < i)
  if (repeated) throw new Error(`docs/navigation.yaml: expected ${repeated} once, got it twice`)

  return places.map(({ group, path }) => {
    const guide = guides.find((candidate) => candidate.path === path)
    if (!guide) throw new Error(`docs/navigation.yaml: ${path} is no page, expected a guide`)
    return { ...guide, group }
  })
}
