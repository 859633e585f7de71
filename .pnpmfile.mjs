/** Packages of which only one built file is read, which holds all that it needs. */
const BUNDLED = ['@scalar/api-reference']

/** Dependencies that are never loaded, by the package that names them. */
const UNUSED = {
  // Its sources were compiled with it.
  '@apiture/openapi-down-convert': ['typescript'],
  // It searches with a vendor's service. The site searches in the browser.
  vitepress: ['@docsearch/js'],
}

export const hooks = {
  readPackage(manifest) {
    if (BUNDLED.includes(manifest.name)) manifest.dependencies = {}
    for (const name of UNUSED[manifest.name] ?? []) delete manifest.dependencies[name]
    return manifest
  },
}
