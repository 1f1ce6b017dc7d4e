module billing

go 1.19
