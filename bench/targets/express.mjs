// Limit (b): only Express 5, without validation.
import express from 'express';
import { port, readRecords } from './records.mjs';
import { addRoutes } from './routes.mjs';

const app = express();
app.use(express.json({ limit: '10mb' }));
addRoutes(app, readRecords());
app.listen(port, '127.0.0.1');
