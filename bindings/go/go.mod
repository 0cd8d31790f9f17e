module xs2a

go 1.19
