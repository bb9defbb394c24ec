import { defineConfig } from '@hey-api/openapi-ts';

const services = ['registration', 'pairing', 'results', 'standings'];

// One client a service, in `generated/<service>`: a function for each operation, named after its operationId.
export default defineConfig(
  services.map((service) => ({
    input: `../../docs/openapi/${service}.json`,
    output: { path: `generated/${service}`, importFileExtension: '.ts' },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'warn' },
  })),
);
