import './fault-deliveries.test.js';
