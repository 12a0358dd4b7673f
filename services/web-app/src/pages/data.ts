/** Settings → Data: exports the account to a file, and imports a file into an empty account. */

import { findAll } from './elements.ts';
import { exportEverything } from './export-file.ts';
import { offerImport } from './import-file.ts';

for (const place of findAll('[data-export]', HTMLElement)) void exportEverything(place);
findAll('form[data-import]', HTMLFormElement).forEach(offerImport);
