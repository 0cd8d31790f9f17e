module served

go 1.19
